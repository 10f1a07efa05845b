"""Positions of Race for the Galaxy as people write them: the beginning of a round, by the names of cards.

    {"game": "race",
     "round": 6,
     "players": [{"tableau": ["Old Earth", "Gem World", "Consumer Markets"], "goods": ["Gem World"],
                  "hand": ["Space Port"], "chips": 3},
                 {"tableau": ["Alpha Centauri"], "hand": 4}],
     "discards": 20,
     "moves": ["consume x2", "produce"]}

A hand, or the discard pile, may be given as a number of cards: these are drawn from what is left. Tableaux begin with
the start world. `moves` goes on from there, by the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from boardwright.errors import BadPosition, UnknownName
from boardwright.games.race import invariants
from boardwright.games.race import state as race
from boardwright.games.race.bits import ALL, WORDS, bits_of
from boardwright.games.race.cards import CARDS, DESIGN, DESIGNS, IS_WORLD, KIND, NO_KIND, STANDING, START_WORLDS
from boardwright.kernel import Game, State, rng
from boardwright.kernel.contract import Numbered, PositionForm, distinct

PLAYER_KEYS = ("tableau", "goods", "hand", "chips")
_LARGEST_STAGE, _LARGEST_ACTION = 28, 9
_SETS = ("deck", "discard", "hand", "fresh", "picked", "knows")
_RANGES = {
    "seats": (min(race.SEATS), race.MAX_SEATS),
    "chips": (0, 10_000),
    "pool": (-10_000, race.POOL_PER_SEAT * race.MAX_SEATS),
    "tableau": (0, CARDS - 1),
    "good": (0, CARDS),
    "size": (0, race.TABLEAU_ROOM),
    "hand_size": (0, CARDS),
    "deck_size": (0, CARDS),
    "discard_size": (0, CARDS),
    "chosen": (0, _LARGEST_ACTION),
    "placing": (0, CARDS),
    "drawn": (0, CARDS),
    "picks": (0, CARDS),
    "keeps": (0, 1),
    "original": (0, 1),
    "round": (0, race.ROUNDS),
    "phases": (0, 31),
    "stage": (0, _LARGEST_STAGE),
    "question": (0, race.GAME_OVER),
    "asked": (0, race.MAX_SEATS - 1),
    "first": (0, race.MAX_SEATS - 1),
    "turn": (0, race.MAX_SEATS),
    "left": (0, CARDS),
    "floor": (0, CARDS),
    "specials": (0, 7),
    "place": (0, race.TABLEAU_ROOM),
    "first_good": (0, 1),
}
"""What each field can hold, whatever the others say."""

_PILES = "deck, discard, hand, tableau, good"
_FIELDS_OF = dict(enumerate(invariants.NAMES)) | {
    invariants.CARD_TWICE: f"{_PILES}: {invariants.NAMES[invariants.CARD_TWICE]}",
    invariants.CARD_LOST: f"{_PILES}: {invariants.NAMES[invariants.CARD_LOST]}",
    invariants.WRONG_SIZE: f"deck_size, discard_size, hand_size: {invariants.NAMES[invariants.WRONG_SIZE]}",
    invariants.WRONG_POOL: f"pool, chips: {invariants.NAMES[invariants.WRONG_POOL]}",
    invariants.WRONG_TOTALS: f"standing: {invariants.NAMES[invariants.WRONG_TOTALS]}",
    invariants.WRONG_GOODS: f"goods, good: {invariants.NAMES[invariants.WRONG_GOODS]}",
}
"""The invariants, with the fields that they are about."""


def build(game: Game, given: Mapping[str, Any], seed: int) -> State:
    players = given.get("players")
    if not isinstance(players, list) or len(players) not in race.SEATS:
        raise BadPosition(f"players: it should be a list of {' or '.join(map(str, race.SEATS))}, one entry per seat")
    state = game.new(seed=seed, seats=len(players))
    while state.record.question != race.CHOOSE_ACTION:
        state.apply(state.legal_actions()[0])
    return _Table(state, seed).set(given, players)


def faults(s: Any) -> Iterator[str]:
    for name, (low, high) in _RANGES.items():
        values = np.asarray(getattr(s, name))
        if values.min() < low or values.max() > high:
            yield f"{name}: {values.tolist()} has numbers outside {low} to {high}"
    for name in _SETS:
        values = np.asarray(getattr(s, name))
        if (values & ~ALL).any():
            yield f"{name}: not a set of cards"
    if s.asked >= s.seats or s.first >= s.seats:
        yield f"asked, first: seats are 0 to {s.seats - 1}"
    problem = invariants.broken(s, np.zeros(WORDS, np.int64))
    if problem != invariants.HOLDS:
        yield _FIELDS_OF[problem]


_CARDS = Numbered(distinct([DESIGNS[design].name for design in DESIGN]))
_CARD_OR_NONE = Numbered(("none", *_CARDS))


def names(fields: Mapping[str, Any]) -> dict[str, Any]:
    sets = (*_SETS, "unseen_since", "kept", "shown")
    tableau = [[_CARDS if place < size else None for place in range(race.TABLEAU_ROOM)] for size in fields["size"]]
    return {**dict.fromkeys(sets, _CARDS), "tableau": tableau, "good": _CARD_OR_NONE, "placing": _CARD_OR_NONE}


class _Table:
    """A fresh game whose cards are put where somebody wants them."""

    def __init__(self, state: State, seed: int) -> None:
        self.state, self.s, self.seed = state, state.record, seed
        self.free = set(range(CARDS))
        self.chance = rng.generator(rng.derive(seed, 1))

    def set(self, given: Mapping[str, Any], players: list[Any]) -> State:
        s = self.s
        for name in ("standing", "goods", "good", "tableau", "knows", "hand", "fresh", "picked", "chips", "chosen"):
            getattr(s, name)[:] = 0
        for name in ("size", "hand_size", "placing", "drawn", "picks", "keeps", "produced"):
            getattr(s, name)[:] = 0
        s.round = _whole(given.get("round", 1), "round", 1, race.ROUNDS)
        s.first_good = 0
        for seat, player in enumerate(players):
            if not isinstance(player, dict):
                raise BadPosition(f"players[{seat}]: it should be an object with {', '.join(PLAYER_KEYS)}")
            for key in player:
                if key not in PLAYER_KEYS:
                    raise BadPosition(f"players[{seat}].{key}: there is no such field; {', '.join(PLAYER_KEYS)}")
            self.set_tableau(seat, player)
        for seat, player in enumerate(players):
            self.set_hand(seat, player)
        for seat, player in enumerate(players):
            self.set_goods(seat, player)
        discards = self.cards(given.get("discards", 0), "discards", len(self.free))
        s.discard[:], s.discard_size = bits_of(discards), len(discards)
        s.deck[:], s.deck_size = bits_of(self.free), len(self.free)
        s.pool = race.POOL_PER_SEAT * len(players) - int(np.asarray(s.chips).sum())
        if s.pool <= 0:
            raise BadPosition(
                f"chips: there are {race.POOL_PER_SEAT * len(players)}, and the game ends when all are out"
            )
        s.first = _whole(given.get("first", self.lowest_start_world()), "first", 0, len(players) - 1)
        s.stage, s.question, s.asked, s.turn = race.ROUND_CHOOSE, race.CHOOSE_ACTION, s.first, 1
        s.rng = rng.generator(rng.derive(self.seed, 2))
        problem = invariants.broken(s, np.zeros(WORDS, np.int64))
        if problem != invariants.HOLDS:
            raise BadPosition(f"not a position that can exist: {_FIELDS_OF[problem]}")
        return self.state

    def lowest_start_world(self) -> int:
        worlds = [int(self.s.tableau[seat, 0]) for seat in range(self.s.seats)]
        return worlds.index(min(worlds))

    def set_tableau(self, seat: int, player: Mapping[str, Any]) -> None:
        s, where = self.s, f"players[{seat}].tableau"
        names = player.get("tableau")
        if not isinstance(names, list) or not 1 <= len(names) < race.TABLEAU_END:
            raise BadPosition(f"{where}: it should list 1 to {race.TABLEAU_END - 1} cards; with more the game is over")
        for place, name in enumerate(names):
            card = self.take(name, f"{where}[{place}]")
            if place == 0 and card >= START_WORLDS:
                starts = ", ".join(DESIGNS[int(DESIGN[start])].name for start in range(START_WORLDS))
                raise BadPosition(f"{where}[0]: {name!r} is no start world: {starts}")
            s.tableau[seat, place] = card
            for i in range(STANDING.shape[1]):
                s.standing[seat, i] += int(STANDING[card, i])
        s.size[seat] = len(names)
        s.chips[seat] = _whole(player.get("chips", 0), f"players[{seat}].chips", 0, 10_000)

    def set_hand(self, seat: int, player: Mapping[str, Any]) -> None:
        hand = self.cards(player.get("hand", 0), f"players[{seat}].hand", race.HAND_LIMIT)
        self.s.hand[seat][:], self.s.hand_size[seat] = bits_of(hand), len(hand)

    def set_goods(self, seat: int, player: Mapping[str, Any]) -> None:
        """Goods are cards face down, so which ones they are is drawn."""
        s, where = self.s, f"players[{seat}].goods"
        goods = player.get("goods", [])
        if not isinstance(goods, list):
            raise BadPosition(f"{where}: it should list the worlds that have a good")
        for number, name in enumerate(goods):
            design = _design(name, f"{where}[{number}]")
            free = [
                place
                for place in range(s.size[seat])
                if DESIGN[s.tableau[seat, place]] == design and not s.good[seat, place]
            ]
            if not free:
                raise BadPosition(f"{where}[{number}]: {name!r} is not in the tableau, or has a good already")
            card = int(s.tableau[seat, free[0]])
            if not IS_WORLD[card] or KIND[card] == NO_KIND:
                raise BadPosition(f"{where}[{number}]: {name!r} carries no goods")
            s.good[seat, free[0]] = 1 + self.draw(where)
            s.goods[seat, NO_KIND] += 1
            s.goods[seat, int(KIND[card])] += 1

    def cards(self, given: Any, where: str, most: int) -> list[int]:
        """Named cards, or so many of those that are left."""
        if isinstance(given, list):
            if len(given) > most:
                raise BadPosition(f"{where}: {len(given)} cards; there can be {most} at most")
            return [self.take(name, f"{where}[{i}]") for i, name in enumerate(given)]
        return [self.draw(where) for _ in range(_whole(given, where, 0, most))]

    def take(self, name: Any, where: str) -> int:
        design = _design(name, where)
        for card in np.flatnonzero(design == DESIGN).tolist():
            if card in self.free:
                self.free.remove(card)
                return int(card)
        copies = DESIGN.tolist().count(design)
        raise BadPosition(f"{where}: {name!r} is wanted once too often; copies in the game: {copies}")

    def draw(self, where: str) -> int:
        if not self.free:
            raise BadPosition(f"{where}: there are no cards left")
        card = sorted(self.free)[rng.draw(self.chance) % len(self.free)]
        self.free.remove(card)
        return card


def _design(name: Any, where: str) -> int:
    by_name = {design.name.casefold(): number for number, design in enumerate(DESIGNS)}
    found = by_name.get(str(name).casefold())
    if found is None:
        hint = UnknownName("card", str(name), [design.name for design in DESIGNS])
        raise BadPosition(f"{where}: {hint}")
    return found


def _whole(value: Any, where: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise BadPosition(f"{where}: it should be a whole number from {low} to {high}, not {value!r}")
    return value


positions = PositionForm(faults=faults, keys=("round", "players", "discards", "first"), build=build, names=names)
