"""How a problem is answered: programs get JSON, people a page."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from veracord.web import page_problems
from veracord.web.problems import Problem, problem_response

#: The code of a request that carries a key where it is written down.
KEY_IN_URL: Final = "key_in_url"
#: What programs ask for.
_OF_PROGRAMS: Final = ("/v1/", "/healthz", "/openapi.json")


def is_for_programs(request: Request) -> bool:
    """Whether a path is one of the API."""
    path = request.url.path
    return path == "/v1" or path.startswith(_OF_PROGRAMS)


def answer_problem(request: Request, problem: Problem) -> Response:
    """Return the answer that tells a problem."""
    # A page would repeat the address.
    if is_for_programs(request) or problem.code == KEY_IN_URL:
        return problem_response(problem)
    return page_problems.render(request, problem)
