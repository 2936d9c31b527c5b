"""A real PostgreSQL, for those who ask, and the places where runs are kept."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.contract.postgres_server import PostgresServer, running_postgres
from tests.contract.store_places import MemoryPlace, SqlPlace, postgres_place, sqlite_place


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def new_schema(postgres_server) -> Callable[[], str]:
    """Make an empty schema and return the address under which its tables are found."""
    import psycopg

    numbers = itertools.count()

    def make() -> str:
        name = f"s{next(numbers)}"
        with psycopg.connect(postgres_server.address(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return postgres_server.address(name)

    return make


@pytest.fixture(params=["sqlite", "postgres"])
def sql_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlPlace]:
    """A database that several stores are opened on."""
    if request.param == "sqlite":
        with sqlite_place(tmp_path) as place:
            yield place
    else:
        with postgres_place(request.getfixturevalue("new_schema")()) as place:
            yield place


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryPlace | SqlPlace]:
    """Any place."""
    if request.param == "memory":
        yield MemoryPlace()
    elif request.param == "sqlite":
        with sqlite_place(tmp_path) as found:
            yield found
    else:
        with postgres_place(request.getfixturevalue("new_schema")()) as found:
            yield found
