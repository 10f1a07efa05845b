"""Problems, what is asked: from an observation to a problem, and back to an observation and its steps."""

__all__: list[str] = []
