"""Property tests try the same examples at every run, so that a failure is about the change at hand, and none is timed.

``pytest --hypothesis-profile=search`` looks for new counterexamples instead; what it finds becomes an example.
"""

from hypothesis import HealthCheck, settings

settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
