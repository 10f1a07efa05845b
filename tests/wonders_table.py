"""Small built positions of 7 Wonders for the tests."""

from __future__ import annotations

import numpy as np

import boardwright as bw
from boardwright.games.wonders import state as codes
from boardwright.games.wonders.building import raise_stage, raise_structure
from boardwright.games.wonders.cards import BOARD_NAMES, HAND, MOST_SEATS, NAMES, kind_of
from boardwright.games.wonders.scoring import PARTS, breakdown
from boardwright.games.wonders.state import CITY, give_board, kind_in, packet_of, use_of

BOARDS = ("Gizah A", "Rhodos A", "Ephesos A", "Alexandria A", "Olympia A", "Babylon A", "Halikarnassos A")
FILLER = ("Altar", "Baths", "Pawnshop", "Stockade", "Tavern", "Theater", "Workshop")


class Table:
    """A position to arrange and play on; seats, Ages and turns count from 1 as players count them."""

    def __init__(self, *boards: str, seats: int = 3, age: int = 1, turn: int = 1, coins: int = 3, **options: object):
        self.game = bw.game("wonders")
        self.state = self.game.new(seed=1, seats=seats, **options)
        self.s = self.state.record
        self.s.age, self.s.turn = age - 1, turn - 1
        names = [*boards, *(b for b in BOARDS if b.split()[0] not in {x.split()[0] for x in boards})]
        for seat in range(seats):
            board, side = names[seat].split()
            self.state.memory.view(self.game.state)[0]["city"][seat] = np.zeros((), CITY)
            give_board(self.s, seat, BOARD_NAMES.index(board), "AB".index(side))
            self.s.city[seat].coins = coins
            self.hold(seat + 1, *FILLER[: HAND + 1 - turn])

    def city(self, seat: int):  # type: ignore[no-untyped-def]
        return self.s.city[seat - 1]

    def hold(self, seat: int, *names: str) -> Table:
        """Give a seat these cards to choose from."""
        packet = packet_of(self.s, seat - 1)
        cards = sorted(kind_of(name) for name in names)
        for place in range(HAND):
            self.s.hand[packet, place] = cards[place] if place < len(cards) else codes.EMPTY
        return self

    def build(self, seat: int, *names: str) -> Table:
        """Put structures into a city, without their coins."""
        for name in names:
            raise_structure(self.s, seat - 1, kind_of(name))
        return self

    def stages(self, seat: int, number: int) -> Table:
        """Raise wonder stages, without their coins."""
        for _ in range(number):
            raise_stage(self.s, seat - 1)
        self.s.digger = codes.EMPTY
        return self

    def coins(self, seat: int, coins: int) -> Table:
        self.city(seat).coins = coins
        return self

    def legal(self) -> list[str]:
        return [self.game.describe(self.state, action) for action in self.state.legal_actions()]

    def can(self, use: int, name: str) -> list[int]:
        """The legal actions that use a card so."""
        kind = kind_of(name)
        return [a for a in self.state.legal_actions() if use_of(a) == use and kind_in(a) == kind]

    def payments(self, use: int, name: str) -> set[tuple[int, int]]:
        """(to the left, to the right) of every way on offer."""
        found = set()
        seat = self.state.player
        for action in self.can(use, name):
            after = self.state.copy()
            entries = self.game.entries
            entries.apply(after.memory, action)
            if after.record.chosen[seat] == action:
                found.add((after.record.pay[seat, 0], after.record.pay[seat, 1]))
        return found

    def play(self, *choices: tuple[int, str]) -> Table:
        """Each seat in turn makes a choice: (use, card)."""
        for use, name in choices:
            actions = self.can(use, name) if name else [use]
            assert actions, f"{name} cannot be played so; legal: {self.legal()}"
            self.state.apply(actions[0])
        self.s = self.state.record
        return self

    def rest_discard(self) -> Table:
        """Everybody who has not chosen yet discards the first card."""
        age, turn = self.s.age, self.s.turn
        while (self.s.age, self.s.turn, self.s.phase) == (age, turn, codes.CHOOSE):
            action = next(a for a in self.state.legal_actions() if use_of(a) == codes.DISCARD)
            self.state.apply(action)
            if self.state.is_terminal:
                break
        return self

    def parts(self, seat: int) -> dict[str, int]:
        out = np.zeros(len(PARTS))
        breakdown(self.s, seat - 1, out)
        return dict(zip(PARTS, out.astype(int).tolist(), strict=True))

    def pile(self) -> list[str]:
        places = [(a, p, t) for a in range(3) for p in range(MOST_SEATS) for t in range(HAND)]
        in_pile = (codes.DISCARDED, codes.LOOKED_AT)
        return sorted(NAMES[self.s.left[x]] for x in places if self.s.fate[x] in in_pile)
