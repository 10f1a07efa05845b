"""Language models as players: any endpoint that speaks the chat form of OpenAI's interface."""

from boardwright.llm.agent import LanguageModel

__all__ = ["LanguageModel"]
