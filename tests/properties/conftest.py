"""How laws are run: the same examples each time where CI=true, new ones each time elsewhere."""

import os

from hypothesis import HealthCheck, settings

_SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile("explore", deadline=None, suppress_health_check=_SLOW_IS_FINE)
settings.register_profile("ci", settings.get_profile("explore"), derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "explore")
