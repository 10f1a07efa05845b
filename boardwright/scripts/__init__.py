"""Agents in any language: programs in processes of their own, with clocks, limits and walls. See docs/scripts.md."""

__all__: list[str] = []
