"""On the path of the processes that tests/test_platforms.py starts: they see Windows from their first line on."""

from tests.windows import pretend

pretend()
