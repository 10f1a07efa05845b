"""What `boardwright scout` and `boardwright cases` do."""

RENAMED_OPTIONS: dict[str, dict[str, str]] = {
    "scout run": {"--library": "--case-base", "-l": "-c", "--watch": "--observe-opponent"},
    "scout rollback": {"--library": "--case-base", "-l": "-c"},
    "scout log": {"--library": "--case-base", "-l": "-c"},
    "scout serve": {"--library": "--case-base", "-l": "-c", "--silence": "--idle-timeout"},
    "cases test": {"--most": "--limit"},
    "cases learn": {"--most": "--limit"},
}
"""By command: options that had another name before, and the one to use now."""
