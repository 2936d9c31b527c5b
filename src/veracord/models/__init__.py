"""Language models: one adapter for each way to reach one, imported on first use.

The public names are listed in ``__all__``; everything else is private.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veracord.models.anthropic import AnthropicModel
    from veracord.models.cassettes import Cassette
    from veracord.models.chat_completions import ChatCompletionsModel, ChatDialect
    from veracord.models.exchanges import Sampling
    from veracord.models.limits import Limits
    from veracord.models.llama_cpp import LlamaCppModel
    from veracord.models.transport import TransportOptions

__all__ = [
    "AnthropicModel",
    "Cassette",
    "ChatCompletionsModel",
    "ChatDialect",
    "Limits",
    "LlamaCppModel",
    "Sampling",
    "TransportOptions",
]

_HOMES = {
    "AnthropicModel": "veracord.models.anthropic",
    "Cassette": "veracord.models.cassettes",
    "ChatCompletionsModel": "veracord.models.chat_completions",
    "ChatDialect": "veracord.models.chat_completions",
    "Limits": "veracord.models.limits",
    "LlamaCppModel": "veracord.models.llama_cpp",
    "Sampling": "veracord.models.exchanges",
    "TransportOptions": "veracord.models.transport",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - PEP 562: the value is whatever the name stands for
    """Import a public name on first use (PEP 562)."""
    home = _HOMES.get(name)
    if home is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted(__all__)
