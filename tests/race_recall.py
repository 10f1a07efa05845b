"""An independent check of what a player of Race for the Galaxy with perfect recall can rule out.

It hears of every card that moves while a true game is played, notes for each seat what that seat can tell, and then
says of a determinization what makes it impossible. It shares nothing with `information.py` and `recall.py` of the game:
it keeps the history itself, as lists. The rules have to run uncompiled, so that it can listen to them:

    NUMBA_DISABLE_JIT=1 python -m tests.race_recall SEATS DETERMINIZATIONS [AGENT] [GENERATOR] [FIRST_SEED]

Cards are told apart by their face only: of two equal cards, the one that allows more is always assumed. A *generation*
is the time between two moments in which the discard pile became the deck. A card that a seat saw go into the deck with
the pile cannot be a card that somebody has held since before.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import boardwright as bw
from boardwright.games.race.bits import members
from boardwright.games.race.cards import CARDS, DESIGN, START_WORLDS
from boardwright.games.race.state import EXPLORE_KEEP
from boardwright.kernel import UNCOMPILED, rng

_MODULES = ("piles", "setup", "explore", "develop", "settle", "consume", "produce", "rounds", "tableau")
_PRIMITIVES = (
    "draw",
    "recycle",
    "draw_to_hand",
    "discard_picked",
    "discard_openly",
    "discard_unseen",
    "take_openly",
    "play_from_hand",
    "add_good",
    "remove_good",
    "fill_deck",
)


class Seat:
    """What one seat can tell."""

    def __init__(self, me: int, seats: int) -> None:
        self.me = me
        self.generation = 0
        self.since = dict.fromkeys(range(CARDS), 0)  # unseen cards: the generation since which they have been unseen
        self.hands: dict[int, list[int]] = {seat: [] for seat in range(seats) if seat != me}
        """When the cards of a hand were drawn; of what was given away, the oldest are assumed to have gone."""
        self.fresh: dict[int, list[int]] = {seat: [] for seat in range(seats) if seat != me}
        self.shown: dict[int, tuple[int, int]] = {}  # cards that all saw somebody take: who, and when
        self.limbo: dict[int, tuple[int, int]] = {}  # those, once their owner has given cards away
        self.pile: set[int] = set()  # discards that it has seen
        self.capable: dict[int, list[int]] = defaultdict(list)  # when the cards were drawn that others had in this one
        self.room: dict[tuple[int, int], int] = defaultdict(int)
        """How many discards of a seat can have been drawn in a generation or later; those of explorers apart:"""
        self.explored: Counter[int] = Counter()
        self.goods_given: list[int] = []

    def confusable(self, card: int, owner: int | None) -> int | None:
        """The unseen card that may as well have come from the owner's hand, or from the deck, as an equal one."""
        twin = next((c for c in self.since if c != card and DESIGN[c] == DESIGN[card]), None)
        return None if twin in self.limbo and self.limbo[twin][0] != owner else twin

    def sees(self, card: int, owner: int | None = None) -> None:
        """A card's place is known from now on. Of two equal cards of which nobody knows which it was, the one that is
        left is the one that may be in more places."""
        if card in self.since:
            twin = self.confusable(card, owner)
            if twin is not None:
                self.since[twin] = min(self.since[twin], self.since[card])
                self.limbo.pop(twin, None)
                if card in self.shown:
                    self.shown[twin] = self.shown[card]
            del self.since[card]
        self.limbo.pop(card, None)
        self.shown.pop(card, None)

    def recycled(self) -> None:
        self.generation += 1
        for card in self.pile:
            self.since[card] = self.generation
        self.pile.clear()
        for card, (owner, _) in self.limbo.items():
            self.since[card] = self.generation
            self.shown[card] = owner, -1  # in that hand, or in the deck
        self.limbo.clear()
        self.room.clear()
        self.explored.clear()
        self.goods_given.clear()
        self.capable = defaultdict(list, {o: [*self.hands[o], *self.fresh[o]] for o in self.hands})


def _fits(classes: Iterable[int], tokens: Iterable[int]) -> bool:
    """Whether cards unseen since these generations can be cards drawn in those."""
    ours, theirs = sorted(classes, reverse=True), sorted(tokens, reverse=True)
    return len(ours) <= len(theirs) and all(a <= b for a, b in zip(ours, theirs, strict=False))


class Recall:
    """Listens to the rules while one true game is played."""

    def __init__(self) -> None:
        self.seats: list[Seat] = []
        self.listening = False
        self.births: dict[tuple[int, int], int] = {}  # goods: seat and world
        self.fresh_phase = False
        self.first_good = False
        self._receiver: int | None = None
        for name in _PRIMITIVES:
            self._wrap(name)

    def _wrap(self, name: str) -> None:
        hear: Callable[..., Any] = getattr(self, f"_{name}")
        home = next(m for m in ("piles", "tableau") if hasattr(import_module(f"boardwright.games.race.{m}"), name))
        true = getattr(import_module(f"boardwright.games.race.{home}"), name)

        def heard(s: Any, *arguments: Any) -> Any:
            return hear(true, s, *arguments) if self.listening else true(s, *arguments)

        for module in _MODULES:
            there = import_module(f"boardwright.games.race.{module}")
            if getattr(there, name, None) is true:
                setattr(there, name, heard)

    # What the rules do.

    def _fill_deck(self, true: Any, s: Any) -> None:
        true(s)
        self.seats = [Seat(seat, s.seats) for seat in range(s.seats)]
        self.births.clear()
        for seat in self.seats:
            for world in range(START_WORLDS):
                seat.since[world] = 0

    def _draw(self, true: Any, s: Any) -> Any:
        turned_over = s.deck_size == 0  # and not only when this was the last card
        generation = self.seats[0].generation + (1 if turned_over else 0)
        card = true(s)
        receiver, self._receiver = self._receiver, None
        if card < 0:
            return card
        for seat in self.seats:
            if receiver == seat.me:
                seat.sees(card)
            elif receiver is not None:
                self._tokens(s, seat, receiver).append(generation)
                seat.capable[receiver].append(generation)
        self._drawn_in = generation
        return card

    def _tokens(self, s: Any, seat: Seat, owner: int) -> list[int]:
        return seat.fresh[owner] if self.fresh_phase else seat.hands[owner]

    def _draw_to_hand(self, true: Any, s: Any, seat: int, n: int) -> None:
        for _ in range(n):
            self._receiver = seat
            true(s, seat, 1)
            self._receiver = None

    def _recycle(self, true: Any, s: Any) -> None:
        cards = s.discard_size
        true(s)
        for seat in self.seats:
            if cards:
                seat.recycled()

    def _give(self, seat: Seat, owner: int, n: int) -> None:
        tokens = seat.fresh[owner] if self.fresh_phase else seat.hands[owner]
        for card, (holder, when) in list(seat.shown.items()):
            if holder == owner and when >= 0 and not self.fresh_phase:
                seat.limbo[card] = seat.shown.pop(card)
                seat.since[card] = when
                tokens.append(when)
                seat.capable[owner].append(when)
        for least in range(seat.generation + 1):
            able = sum(1 for token in (tokens if self.fresh_phase else seat.capable[owner]) if token >= least)
            if self.fresh_phase:
                seat.explored[least] += min(n, able)
            else:
                seat.room[owner, least] = min(seat.room[owner, least] + n, able)
        if self.fresh_phase:  # what goes now cannot go later
            for token in sorted(tokens)[:n]:
                seat.capable[owner].remove(token)
        tokens.sort()
        del tokens[:n]

    def _discard_picked(self, true: Any, s: Any, owner: int) -> None:
        cards = members(s.picked[owner])
        true(s, owner)
        if cards:
            for seat in self.seats:
                if seat.me == owner:
                    seat.pile.update(cards)
                else:
                    self._give(seat, owner, len(cards))

    def _discard_openly(self, true: Any, s: Any, card: int) -> None:
        true(s, card)
        for seat in self.seats:
            seat.sees(card)
            seat.pile.add(card)

    def _discard_unseen(self, true: Any, s: Any, card: int) -> None:
        true(s, card)

    def _take_openly(self, true: Any, s: Any, owner: int, card: int) -> None:
        true(s, owner, card)
        for seat in self.seats:
            seat.sees(card)
            if seat.me != owner:
                seat.shown[card] = owner, self._drawn_in

    def _play_from_hand(self, true: Any, s: Any, owner: int, card: int) -> None:
        true(s, owner, card)
        for seat in self.seats:
            if seat.me == owner:
                continue
            sure = [
                c
                for c, (holder, when) in seat.shown.items()
                if holder == owner and when >= 0 and DESIGN[c] == DESIGN[card]
            ]
            if card not in sure and sure and card in seat.since:  # it may be the one that all saw the owner take
                seat.since[sure[0]] = seat.since.pop(card)
            if sure:
                del seat.shown[card if card in sure else sure[0]]
                continue
            both = [c for c in (card, seat.confusable(card, owner)) if c is not None]
            flagged = [c for c in both if seat.limbo.get(c, seat.shown.get(c, (None, 0)))[0] == owner]
            classes = [seat.since[c] for c in both] + [0 for _ in flagged]
            tokens = sorted(seat.hands[owner])
            able = [token for token in tokens if token >= min(classes)]
            assert able, "the checker rules the truth out"
            tokens.remove(able[0])
            seat.hands[owner] = tokens
            seat.sees(card, owner)

    def _add_good(self, true: Any, s: Any, seat: int, place: int) -> Any:
        done = true(s, seat, place)
        if done:
            self.births[seat, int(s.tableau[seat, place])] = self._drawn_in
        return done

    def _remove_good(self, true: Any, s: Any, seat: int, place: int) -> None:
        born = self.births.pop((seat, int(s.tableau[seat, place])))
        true(s, seat, place)
        for onlooker in self.seats:
            onlooker.goods_given.append(born)

    # What follows from it.

    def explorers(self, s: Any, exploring: bool) -> None:
        """Whether cards are drawn, and given away, in the explore phase: older cards of the hand are safe then."""
        self.fresh_phase = exploring
        if not exploring:
            for seat in self.seats:
                for owner, tokens in seat.fresh.items():
                    seat.hands[owner] += tokens
                    tokens.clear()

    def problem(self, s: Any, me: int) -> str | None:
        """What makes a whole state impossible for a seat, if anything."""
        seat = self.seats[me]
        unseen: dict[int, list[int]] = defaultdict(list)  # by face: since when
        for card, when in seat.since.items():
            unseen[int(DESIGN[card])].append(when)
        for faces in unseen.values():
            faces.sort()

        def classes(cards: Iterable[int], owner: int | None = None) -> list[int]:
            """Since when cards are unseen, at best; `owner` may have kept those that all saw it take, or, if it is not
            given, may have discarded them."""
            found = []
            for face, n in Counter(int(DESIGN[card]) for card in cards).items():
                best = list(unseen[face])
                for card, (holder, when) in seat.shown.items():
                    if int(DESIGN[card]) == face and owner in (holder, None) and when < 0:
                        best.remove(seat.since[card])
                        best.insert(0, 0)
                found += (best + [99] * n)[:n]  # 99: it is known to be elsewhere
            return found

        return (
            self._hands_problem(s, seat, classes)
            or self._goods_problem(s, classes)
            or self._piles_problem(s, seat, classes)
        )

    def _without(self, cards: list[int], known: Iterable[int]) -> list[int]:
        """Cards of a pile other than those that are known to be there, by their faces."""
        rest, faces = list(cards), Counter(int(DESIGN[card]) for card in known)
        for card in cards:
            if faces[int(DESIGN[card])]:
                faces[int(DESIGN[card])] -= 1
                rest.remove(card)
        return rest if not +faces else [-1]

    def _hands_problem(self, s: Any, seat: Seat, classes: Any) -> str | None:
        for owner, tokens in seat.hands.items():
            shown = [card for card, (holder, when) in seat.shown.items() if holder == owner and when >= 0]
            fresh = members(s.fresh[owner]) if s.stage == EXPLORE_KEEP else []
            hand = self._without(sorted(members(s.hand[owner]), key=fresh.__contains__), shown)
            if -1 in hand:
                return f"seat {owner} lacks a card that all saw it take"
            others = [c for c, (holder, _) in seat.limbo.items() if holder != owner and c in hand]
            if any(len([x for x in seat.since if DESIGN[x] == DESIGN[c]]) < 2 for c in others):
                return f"seat {owner} holds a card that all saw somebody else take"
            if s.stage == EXPLORE_KEEP and s.drawn[owner]:
                if not set(fresh) <= set(hand) or len(fresh) != len(seat.fresh[owner]):
                    return f"seat {owner} drew other cards in this phase"
                if not _fits(classes(fresh, owner), seat.fresh[owner]):
                    return f"seat {owner} drew cards in this phase that were not in the deck"
                hand = [card for card in hand if card not in fresh]
            elif seat.fresh[owner]:
                tokens = tokens + seat.fresh[owner]
            if len(hand) != len(tokens):
                return f"seat {owner} holds {len(hand)} unseen cards, not {len(tokens)}"
            if not _fits(classes(hand, owner), tokens):
                return f"seat {owner} holds cards that were elsewhere when its hand was drawn"
        return None

    def _goods_problem(self, s: Any, classes: Any) -> str | None:
        for (owner, world), born in self.births.items():
            place = list(s.tableau[owner][: s.size[owner]]).index(world) if world in s.tableau[owner] else -1
            if place < 0:
                place = next(p for p in range(s.size[owner]) if DESIGN[s.tableau[owner, p]] == DESIGN[world])
            if not _fits(classes([s.good[owner, place] - 1]), [born]):
                return f"a good of seat {owner} is a card that was elsewhere when it was drawn"
        return None

    def _piles_problem(self, s: Any, seat: Seat, classes: Any) -> str | None:
        pile = self._without(members(s.discard), seat.pile)
        if -1 in pile:
            return "a discard is gone"
        since = classes(pile)
        for least in range(seat.generation + 1):
            room = sum(seat.room[owner, least] for owner in seat.hands)
            room += seat.explored[least] + sum(1 for born in seat.goods_given if born >= least)
            if sum(1 for when in since if when >= least) > room:
                return "a discard is a card that nobody can have given away"
        limbo = {int(DESIGN[card]) for card in seat.limbo}
        single = {face for face in limbo if sum(1 for c in seat.since if DESIGN[c] == face) == 1}
        if any(int(DESIGN[card]) in single for card in members(s.deck)):
            return "a card that all saw somebody take is in the deck"
        if any(when == 99 for when in classes(members(s.deck))):
            return "a card that was seen elsewhere is in the deck"
        return None


def check(seats: int, wanted: int, agent: str = "random", generator: str = "kernel", seed: int = 0) -> Counter[str]:
    """Play games with one determinization per position and seat, until so many are made; what was wrong with them.
    Those before the discard pile first became the deck do not count."""
    game, found, made = bw.game("race"), Counter[str](), 0
    recall = Recall()
    from boardwright.games.race import explore as phase

    def explores(true: Any, begins: bool) -> Any:
        def heard(s: Any) -> None:
            if recall.listening and begins and s.phases & 1:
                recall.explorers(s, True)
            true(s)
            if recall.listening and not begins:
                recall.explorers(s, False)

        return heard

    rules = import_module("boardwright.games.race.rules")
    rules.explore = explores(phase.explore, True)  # type: ignore[attr-defined]
    rules.explore_discard = explores(phase.explore_discard, False)  # type: ignore[attr-defined]
    while made < wanted:
        recall.listening = True
        state = game.new(seed=seed, seats=seats, generator=generator)
        agents = [bw.agent(agent, game, seat, seed=rng.derive(seed, seat)) for seat in range(seats)]
        while not state.is_terminal:
            recall.listening = False
            for seat in range(seats):
                wrong = recall.problem(state.record, seat)
                assert wrong is None, f"the checker rules the truth out: {wrong} (seed {seed})"
                observation = state.observation(seat)
                if recall.seats[0].generation and made < wanted:
                    sample = observation.determinize(seed=rng.derive(seed, made))
                    found[recall.problem(sample.record, seat) or "possible"] += 1
                    made += 1
            player = state.player
            action = agents[player].decide(state.observation(player)).action
            recall.listening = True
            state.apply(action)
        seed += 1
    return found


if __name__ == "__main__":
    assert UNCOMPILED, "run it with NUMBA_DISABLE_JIT=1"
    given = [*sys.argv[1:], *("2", "1000", "random", "kernel", "0")[len(sys.argv) - 1 :]]
    result = check(int(given[0]), int(given[1]), given[2], given[3], int(given[4]))
    for problem, times in result.most_common():
        print(f"{times:7,} {problem}")
    sys.exit(0 if set(result) <= {"possible"} else 1)
