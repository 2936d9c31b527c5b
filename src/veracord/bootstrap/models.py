"""A model from its table: which adapter, with which of the fields."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from veracord.bootstrap.pipeline_tables import ModelTable, moved, refused
from veracord.errors import ConfigurationError, InputError
from veracord.ports import Model

_LIMITS: Final = (
    "requests_per_minute",
    "tokens_per_minute",
    "max_cost_usd",
    "price_per_mtok_in",
    "price_per_mtok_out",
)
_OVER_HTTP: Final = (
    "base_url",
    "name",
    "api_key_env",
    "structured",
    "timeout_s",
    "total_time_s",
    "transport_retries",
    *_LIMITS,
)
_SAMPLING: Final = ("temperature", "max_tokens", "seed")

#: The fields that each adapter takes; those in the second group it needs.
_FIELDS: Final = {
    "chat_completions": ((*_OVER_HTTP, *_SAMPLING, "output_limit"), ("base_url", "name")),
    "anthropic": ((*_OVER_HTTP, "temperature", "max_tokens"), ("name",)),
    "llama_cpp": (("path", "context_tokens", "threads", *_SAMPLING), ("path",)),
    "cassette": (("path",), ("path",)),
}


def make_model(table: ModelTable, file: Path) -> Model:
    """Return the model that a table describes; nothing is opened or asked yet.

    Args:
        table: The table.
        file: The file that it stands in; paths are relative to it.

    Raises:
        ConfigurationError: A field is missing, or is not one of the adapter's, or cannot be used.
    """
    where = f"{file} model"
    known, needed = _FIELDS[table.adapter]
    given = [name for name in table.__struct_fields__ if name != "adapter" and getattr(table, name) is not None]
    for name in given:
        if name not in known:
            raise refused(f"the adapter {table.adapter} does not take {name}", f"{where}.{name}", "take it out")
    for name in needed:
        if name not in given:
            raise refused(f"the field {name} is missing", f"{where}.{name}", "add it", code="missing_field")
    try:
        return _MAKERS[table.adapter](table, file.parent)
    except (ConfigurationError, InputError) as error:
        raise moved(error, where) from None


def _chat_completions(table: ModelTable, _folder: Path) -> Model:
    from veracord.models.chat_completions import ChatCompletionsModel, ChatDialect

    return ChatCompletionsModel(
        table.base_url or "",
        table.name or "",
        api_key=_key(table),
        sampling=_sampling(table),
        dialect=ChatDialect(**_set({"structured": table.structured, "output_limit": table.output_limit})),
        transport=_transport(table),
    )


def _anthropic(table: ModelTable, _folder: Path) -> Model:
    from veracord.models.anthropic import DEFAULT_BASE_URL, AnthropicModel

    if table.structured not in (None, "json_schema", "none"):
        raise ConfigurationError(
            f"the adapter anthropic has no structured = {table.structured}",
            where="structured",
            remedy="use json_schema or none",
            code="invalid_pipeline",
        )
    return AnthropicModel(
        table.name or "",
        base_url=table.base_url or DEFAULT_BASE_URL,
        api_key=_key(table),
        sampling=_sampling(table),
        structured=table.structured or "auto",
        transport=_transport(table),
    )


def _llama_cpp(table: ModelTable, folder: Path) -> Model:
    from veracord.models.llama_cpp import LlamaCppModel

    given = {"context_tokens": table.context_tokens, "threads": table.threads}
    return LlamaCppModel(
        folder / (table.path or ""),
        temperature=table.temperature,
        max_tokens=table.max_tokens,
        seed=table.seed,
        **_set(given),
    )


def _cassette(table: ModelTable, folder: Path) -> Model:
    from veracord.models.cassettes import Cassette

    return Cassette(folder / (table.path or ""))


_MAKERS: Final[dict[str, Callable[[ModelTable, Path], Model]]] = {
    "chat_completions": _chat_completions,
    "anthropic": _anthropic,
    "llama_cpp": _llama_cpp,
    "cassette": _cassette,
}


def _key(table: ModelTable) -> str | None:
    """Return the key of the variable named; an absent or empty variable: no key is sent."""
    return None if table.api_key_env is None else os.environ.get(table.api_key_env) or None


def _sampling(table: ModelTable) -> Any:  # noqa: ANN401 - its module is loaded only when it is needed
    from veracord.models.exchanges import Sampling

    return Sampling(temperature=table.temperature, max_tokens=table.max_tokens, seed=table.seed)


def _transport(table: ModelTable) -> Any:  # noqa: ANN401 - its module is loaded only when it is needed
    from veracord.models.limits import Limits
    from veracord.models.transport import TransportOptions

    limits = {name: getattr(table, name) for name in _LIMITS}
    options = {
        "timeout_s": table.timeout_s,
        "total_time_s": table.total_time_s,
        "retries": table.transport_retries,
        "limits": Limits(**limits) if _set(limits) else None,
    }
    return TransportOptions(**_set(options))


def _set(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
