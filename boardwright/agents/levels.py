"""Opponents by name, for people who do not want to write specs: from "easy" to "the strongest"."""

from __future__ import annotations

from boardwright.kernel import Game

EASY, STRONG, STRONGEST, COMPANION = "easy", "strong", "the strongest", "companion"
LEVELS = (EASY, STRONG, STRONGEST, COMPANION)
MEANINGS = {
    EASY: "for a first game",
    STRONG: "makes you think",
    STRONGEST: "the best there is here; takes a few seconds",
    COMPANION: "keeps the game even, and shows beside the board what it would do in your place",
}


def levels(game: Game, seats: int) -> dict[str, str]:
    """The spec of each level: the game's own, or what suits any game."""
    search = "ismcts" if game.has_hidden_information else "uct"
    network = seats in game.learning.networks
    found = {
        EASY: "heuristic" if "heuristic" in game.agents else f"{search}:iterations=60",
        STRONG: "netsearch:noise=0.1" if network else f"{search}:iterations=2000",
        STRONGEST: "netsearch" if network else f"{search}:seconds=2",
        COMPANION: "companion",
    }
    return {**found, **{level: spec for level, spec in game.levels.items() if level in LEVELS}}
