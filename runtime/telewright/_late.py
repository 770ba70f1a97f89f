"""What only telemetry that is on needs, loaded when the first of it is used and not before."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from telewright._api import *  # noqa: F403 - what checkers see; at run time the function below

    def load() -> None:
        """Load every name now."""
else:

    def load():  # noqa: ANN202 - the other branch has the types
        """Load every name now."""
        from telewright import _api

        globals().update((key, getattr(_api, key)) for key in _api.__all__)

    def __getattr__(name):  # noqa: ANN001, ANN202 - the other branch has the types
        """Load every name at once; from then on they are plain globals of this module."""
        if name.startswith("__"):
            raise AttributeError(name)
        load()
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(name) from None
