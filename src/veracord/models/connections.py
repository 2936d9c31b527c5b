"""One HTTP POST, answered by bytes or by the reason why not.

Each event loop has a session of its own, opened when it is first needed.  Redirects are not followed, cookies not
kept, proxies of the environment not used; of an answer no more is read than was allowed.
"""

import asyncio
import io
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from veracord.errors import ConfigurationError
from veracord.models.failures import Failure, status_failure
from veracord.models.keys import ApiKey
from veracord.ports import Clock

if TYPE_CHECKING:
    import aiohttp
    from yarl import URL

#: aiohttp warns of larger bodies that are given as bytes.
_LARGE_BODY: Final = 1024 * 1024
#: An error's body up to this size is read, unseen, so that its connection can be used again.
_SMALL_BODY: Final = 64 * 1024
_SUCCESS: Final = range(200, 300)
#: A longer wait than anybody has, for numbers beyond it.
_NEVER_S: Final = 10**9
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go.

    Attributes:
        url: The address.
        where: Host and port, for messages.
        headers: What every request carries beside its key.
        key: The name of the header for the key, what stands before the key in it, and the key.
    """

    url: str
    where: str
    headers: Mapping[str, str]
    key: tuple[str, str, ApiKey] | None = None


def endpoint_url(base_url: str, path: str) -> tuple[str, str]:
    """Return the address of a path below a base, and host and port for messages.

    Raises:
        ConfigurationError: The base is no http or https address, or holds a user's name or a fragment.
    """
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    if parts.scheme not in _DEFAULT_PORTS or not host or "@" in parts.netloc or parts.fragment:
        # Not even repeated in part: an address may hold a password.
        raise ConfigurationError(
            "base_url is not an http or https address without user and fragment",
            remedy="write it like http://127.0.0.1:8080/v1; a key has its own setting",
            code="base_url_invalid",
        )
    where = f"{f'[{host}]' if ':' in host else host}:{port or _DEFAULT_PORTS[parts.scheme]}"
    return parts._replace(path=parts.path.rstrip("/") + path).geturl(), where


@dataclass(frozen=True, slots=True)
class _Link:
    session: "aiohttp.ClientSession"
    url: "URL"
    timeout: "aiohttp.ClientTimeout"


class Connections:
    """The connections to one endpoint.

    Attributes:
        closings: How often they were closed.
    """

    def __init__(self, endpoint: Endpoint, *, timeout_s: float, max_bytes: int, clock: Clock) -> None:
        """Prepare connections; none is opened yet."""
        self._endpoint = endpoint
        self._timeout_s = timeout_s
        self._max_bytes = max_bytes
        self._clock = clock
        self._links: dict[asyncio.AbstractEventLoop, _Link] = {}
        self.closings = 0

    async def send(self, body: bytes, timeout_s: float) -> bytes | Failure:
        """Post a body once; what goes wrong on the way is a failure, not an exception."""
        link = self._links.get(asyncio.get_running_loop()) or self._open()
        timeout = link.timeout if timeout_s >= self._timeout_s else _timeout(timeout_s)
        data = body if len(body) <= _LARGE_BODY else io.BytesIO(body)
        try:
            async with link.session.post(link.url, data=data, timeout=timeout, allow_redirects=False) as response:
                if response.status in _SUCCESS:
                    return await self._read(response)
                return await self._failed(response)
        except Exception as error:  # noqa: BLE001 - no exception of a library leaves: it holds what was sent
            return _lost(error)

    async def aclose(self) -> None:
        """Close the connections of the running event loop; the next request opens new ones."""
        self.closings += 1
        link = self._links.pop(asyncio.get_running_loop(), None)
        if link is not None:
            await link.session.close()

    def _open(self) -> _Link:
        import aiohttp  # noqa: PLC0415 - its import takes 0.2 s
        from yarl import URL  # noqa: PLC0415 - comes with aiohttp

        headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
        headers |= {"User-Agent": "veracord", **self._endpoint.headers}
        if self._endpoint.key is not None:
            name, prefix, key = self._endpoint.key
            headers[name] = prefix + key.reveal()
        timeout = _timeout(self._timeout_s)
        session = aiohttp.ClientSession(
            # Without a limit: how much is in flight is ruled by who asks.
            connector=aiohttp.TCPConnector(limit=0),
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=timeout,
            trust_env=False,
        )
        link = _Link(session, URL(self._endpoint.url), timeout)
        # An event loop that has ended cannot close anything any more.
        for loop in [loop for loop in tuple(self._links) if loop.is_closed()]:
            self._links.pop(loop, None)
        self._links[asyncio.get_running_loop()] = link
        return link

    async def _read(self, response: "aiohttp.ClientResponse") -> bytes | Failure:
        chunks: list[bytes] = []
        size = 0
        while chunk := await response.content.readany():
            size += len(chunk)
            if size > self._max_bytes:
                return Failure("model_body_too_large", response.status)
            chunks.append(chunk)
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    async def _failed(self, response: "aiohttp.ClientResponse") -> Failure:
        if response.content_length is not None and response.content_length <= _SMALL_BODY:
            try:
                await response.read()
            except Exception as error:  # noqa: BLE001 - the status says enough
                del error
        return status_failure(
            response.status, _retry_after_s(response.headers.get("Retry-After", ""), self._clock.now())
        )


def _timeout(seconds: float) -> "aiohttp.ClientTimeout":
    import aiohttp  # noqa: PLC0415 - its import takes 0.2 s

    return aiohttp.ClientTimeout(total=seconds)


def _lost(error: Exception) -> Failure:
    """Tell what an exception means for a request; the exception itself is not kept."""
    import aiohttp  # noqa: PLC0415 - its import takes 0.2 s

    cause = type(error).__name__
    if isinstance(error, TimeoutError):
        return Failure("model_timeout", passing=True, cause=cause)
    if isinstance(error, aiohttp.ClientSSLError):
        return Failure("model_tls", unbilled=True, cause=cause)
    if isinstance(error, aiohttp.ClientConnectorError):
        return Failure("model_unreachable", passing=True, unbilled=True, cause=cause)
    if isinstance(error, (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, OSError)):
        return Failure("model_connection_lost", passing=True, cause=cause)
    if isinstance(error, aiohttp.ClientResponseError):
        return Failure("model_bad_body", cause=cause)
    return Failure("model_exchange_broken", cause=cause)


def _retry_after_s(text: str, now: datetime) -> float | None:
    """Read a ``Retry-After``: seconds or an HTTP date; anything else is as if it were not there."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return float(min(int(text[:20]), _NEVER_S))
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    # Only a date that says "-0000" has no zone, and it means UTC.
    return max(0.0, (date if date.tzinfo else date.replace(tzinfo=now.tzinfo)).timestamp() - now.timestamp())
