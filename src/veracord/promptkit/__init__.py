"""Prompts, messages and structured output: what is said to a model, and how its answer is read.

The public names are listed in ``__all__``; everything else is private.
"""

from veracord.ports import Finish, Message, Model, Request, Response, Tool, Usage
from veracord.promptkit.prompts import Prompt
from veracord.promptkit.structured_output import Answer, StructuredOutput
from veracord.promptkit.structured_producer import StructuredProducer

__all__ = [
    "Answer",
    "Finish",
    "Message",
    "Model",
    "Prompt",
    "Request",
    "Response",
    "StructuredOutput",
    "StructuredProducer",
    "Tool",
    "Usage",
]
