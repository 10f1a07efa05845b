"""Rules of deck construction of Android: Netrunner, in the order of the rulebook's section on restrictions.

Identities with rules of their own (up to early 2016): The Professor, Custom Biotics, Apex. Alliance cards, printed
from 2016 on, cost no influence under a condition. The tournament list of restricted cards is not part of these rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from boardwright.decks.cards import CardPool
from boardwright.decks.construction import NO_BUDGET, DeckGame, Requirements
from boardwright.decks.deck import Deck, Problem
from boardwright.decks.errors import BadDeck
from boardwright.decks.netrunner.cards import NetrunnerCard, netrunner_pool

CORP = "corp"
CUSTOM_BIOTICS, PROFESSOR, APEX = "03002", "03029", "09029"
ALLIANCE = "Alliance"
ALLIANCE_CARDS = 6
"""An alliance card is free if the deck has this many other cards of its faction, unless it names its own condition."""
MUMBA_TEMPLE, MUSEUM_OF_HISTORY, PAD_FACTORY, MUMBAD_VIRTUAL_TOUR = "10018", "10019", "10038", "10076"
PAD_CAMPAIGN = "01109"


def agenda_points(size: int) -> tuple[int, int]:
    """The fewest and the most agenda points of a Corp deck: 18 or 19 with 40 cards, two more for every further five."""
    fewest = 2 * (size // 5) + 2
    return fewest, fewest + 1


class NetrunnerConstruction:
    def __init__(self, pool: CardPool[NetrunnerCard]) -> None:
        self.pool = pool

    def minimum_size(self, identity: str) -> int:
        return self._identity(identity).minimum

    def group(self, identity: str) -> str:
        return self._identity(identity).faction

    def side(self, code: str) -> str:
        return self.pool[code].side

    def released(self, code: str) -> str:
        return self.pool[code].released

    def _identity(self, code: str) -> NetrunnerCard:
        card = self.pool[code]
        if not card.is_identity:
            raise BadDeck(f"{card.title} is no identity but of the kind {card.kind}")
        return card

    def problems(self, deck: Deck) -> list[Problem]:
        identity = self.pool[deck.identity]
        if not identity.is_identity:
            return [Problem(f"it is no identity but of the kind {identity.kind}", identity.title)]
        found = []
        if identity.draft:
            found.append(Problem("this identity is for drafts only", identity.title))
        if deck.size < identity.minimum:
            found.append(Problem(f"{deck.size} cards; {identity.title} needs at least {identity.minimum}"))
        for code, copies in deck.cards.items():
            found += [Problem(text, self.pool[code].title) for text in self._card_problems(identity, code, copies)]
        spent = self.influence(deck)
        if identity.influence_limit is not None and spent > identity.influence_limit:
            found.append(Problem(f"{spent} influence spent; {identity.title} allows {identity.influence_limit}"))
        if identity.side == CORP:
            fewest, most = agenda_points(deck.size)
            points = sum(self.pool[code].points * copies for code, copies in deck.cards.items())
            if not fewest <= points <= most:
                found.append(Problem(f"{points} agenda points; a deck of {deck.size} cards needs {fewest} or {most}"))
        return found

    def _card_problems(self, identity: NetrunnerCard, code: str, copies: int) -> list[str]:
        card, found = self.pool[code], []
        if card.is_identity:
            return ["a second identity"]
        if copies > card.limit:
            found.append(f"{copies} copies; at most {card.limit} are allowed")
        if card.side != identity.side:
            found.append(f"a {card.side} card in a {identity.side} deck")
        elif card.influence is None and card.faction != identity.faction:
            found.append(f"it has no influence value, so only {card.faction} decks may have it")
        if self._is_banned(identity, card):
            found.append(f"{identity.title} does not allow it")
        return found

    @staticmethod
    def _is_banned(identity: NetrunnerCard, card: NetrunnerCard) -> bool:
        if identity.code == CUSTOM_BIOTICS:
            return card.faction == "jinteki"
        if identity.code == APEX:
            return card.kind == "resource" and "Virtual" not in card.subtypes
        return False

    def influence(self, deck: Deck) -> int:
        """The influence that a deck spends."""
        return sum(self.influence_by_card(deck).values())

    def influence_by_card(self, deck: Deck) -> dict[str, int]:
        """The influence that all copies of each card cost together; cards that cost nothing are left out."""
        identity, costs = self._identity(deck.identity), {}
        for code, copies in deck.cards.items():
            card = self.pool[code]
            if not card.influence or card.faction == identity.faction:
                continue
            if ALLIANCE in card.subtypes and self._alliance_holds(card, deck):
                continue
            if self._first_is_free(identity, card):
                copies -= 1
            if copies:
                costs[code] = card.influence * copies
        return costs

    @staticmethod
    def _first_is_free(identity: NetrunnerCard, card: NetrunnerCard) -> bool:
        return identity.code == PROFESSOR and card.kind == "program"

    def _alliance_holds(self, card: NetrunnerCard, deck: Deck) -> bool:
        def count(kind: str) -> int:
            return sum(copies for code, copies in deck.cards.items() if self.pool[code].kind == kind)

        if card.code == MUMBA_TEMPLE:
            return count("ice") <= 15
        if card.code == MUSEUM_OF_HISTORY:
            return deck.size >= 50
        if card.code == PAD_FACTORY:
            return deck.cards.get(PAD_CAMPAIGN, 0) == 3
        if card.code == MUMBAD_VIRTUAL_TOUR:
            return count("asset") >= 7
        others = (
            c for c in deck.cards if self.pool[c].faction == card.faction and ALLIANCE not in self.pool[c].subtypes
        )
        return sum(deck.cards[code] for code in others) >= ALLIANCE_CARDS

    def requirements(self, identity: str, size: int, cards: Sequence[str]) -> Requirements:
        """Alliance cards are taken at their full cost."""
        of = self._identity(identity)
        facts = [self.pool[code] for code in cards]
        allowed = [
            card.side == of.side
            and not card.is_identity
            and (card.influence is not None or card.faction == of.faction)
            and not self._is_banned(of, card)
            for card in facts
        ]
        fewest, most = agenda_points(size) if of.side == CORP else (0, 0)
        return Requirements(
            limit=np.array([card.limit if ok else 0 for card, ok in zip(facts, allowed, strict=True)], np.int64),
            cost=np.array([0 if card.faction == of.faction else card.influence or 0 for card in facts], np.int64),
            first_is_free=np.array([self._first_is_free(of, card) for card in facts]),
            budget=NO_BUDGET if of.influence_limit is None else of.influence_limit,
            points=np.array([card.points if card.side == CORP else 0 for card in facts], np.int64),
            points_low=fewest,
            points_high=most,
        )


@cache
def netrunner() -> DeckGame:
    pool = netrunner_pool()
    return DeckGame("netrunner", "Android: Netrunner", pool, NetrunnerConstruction(pool))
