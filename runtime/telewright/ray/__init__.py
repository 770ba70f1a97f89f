"""Context through Ray: calls of tasks and actors go on, in the worker, where their caller is.

    @ray.remote
    @telewright.ray.carried
    class Worker: ...

Nothing else is to be written: ``worker.generate.remote(prompts)`` stays as it is. A worker starts
its telemetry with the settings of the driver when the first such call reaches it.
"""

from telewright.ray._calls import call, carried, keywords
from telewright.ray._workers import flush, runtime_env, stop

__all__ = ["call", "carried", "flush", "keywords", "runtime_env", "stop"]
