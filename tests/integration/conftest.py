"""A real language model, for those who ask: its file, and a server that runs it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.small_model import required_model_path, running_server


@pytest.fixture(scope="session")
def small_model_path() -> Path:
    return required_model_path()


@pytest.fixture(scope="session")
def llama_server(small_model_path: Path) -> Iterator[str]:
    """The base URL of llama.cpp's own server."""
    with running_server(small_model_path) as base_url:
        yield base_url
