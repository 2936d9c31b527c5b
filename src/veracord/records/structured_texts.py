"""Evidence that is written as text and is one JSON object all the same."""

from dataclasses import replace

from veracord.records.evidence import EvidencePack
from veracord.records.reading import MAX_BYTES, read_value
from veracord.records.values import JsonObject, JsonValue


def structured_pack(pack: EvidencePack) -> EvidencePack:
    """Return the items that are one JSON object, also those whose text is."""
    found = []
    for item in pack.items:
        content = item.structured if item.text is None else _object_in(item.text)
        if content is not None:
            found.append(replace(item, content=content, text=None))
    return EvidencePack(found)


def _object_in(text: str) -> JsonObject | None:
    stripped = text.strip()
    if not stripped.startswith("{") or not stripped.endswith("}"):
        return None
    try:
        value: JsonValue = read_value(stripped.encode("utf-8", "surrogatepass"), max_bytes=MAX_BYTES)
    except Exception:  # noqa: BLE001 - whatever it is, it is no object
        return None
    return value if isinstance(value, dict) else None
