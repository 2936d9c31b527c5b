"""Problems as people see them; the page of it comes with the other pages."""

from starlette.requests import Request
from starlette.responses import Response

from veracord.web.problems import Problem, problem_response


def render(request: Request, problem: Problem) -> Response:
    """Return a page that tells a problem."""
    del request
    return problem_response(problem)
