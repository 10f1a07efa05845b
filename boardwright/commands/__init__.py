"""Commands by subject, each imported by the command line; like it they import what they need when they run."""

__all__: list[str] = []
