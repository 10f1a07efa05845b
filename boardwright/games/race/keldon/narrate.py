"""A game told round by round, as a player would tell it."""

from __future__ import annotations

from collections.abc import Iterator

from boardwright.games.race import state as race
from boardwright.games.race.bits import members
from boardwright.games.race.cards import CONSUME_POWERS, COST, DESIGN, DESIGNS, FIRST_CARD, FROM_HAND, IS_MILITARY
from boardwright.games.race.picks import card_for, pickable_word
from boardwright.games.race.text import ACTION_NAMES, name, specials_text
from boardwright.kernel import Record, State


def listed(cards: list[int]) -> str:
    names = [name(card) for card in cards]
    return " and ".join(([", ".join(names[:-1])] if len(names) > 1 else []) + names[-1:]) or "nothing"


class Narrator:
    """Turns actions into sentences; a question of several steps becomes one."""

    def __init__(self, who: list[str]) -> None:
        self.who = who
        self.picks: list[int] = []

    def narrate(self, state: State, moves: list[int]) -> Iterator[str]:
        """Every sentence of a game, played on from `state`."""
        s = state.record
        for seat in range(s.seats):
            first = " and goes first" if s.first == seat else ""
            yield f"{self.who[seat]} starts with {name(s.tableau[seat, 0])}{first}."
        for action in moves:
            before = state.copy()
            state.apply(action)
            yield from self._sentences(before.record, state.record, action)
        yield ""
        yield from self._end(state)

    def _sentences(self, before: Record, after: Record, action: int) -> Iterator[str]:
        sentence = self._sentence(before, action)
        if sentence:
            yield f"  {self.who[before.asked]} {sentence}."
        if before.question == race.CHOOSE_ACTION and before.turn == before.seats:  # the last to choose
            chosen = [before.chosen[seat] or action - race.ACTION for seat in range(before.seats)]
            yield ""
            yield f"Round {before.round}: {', '.join(map(self._chooses, range(before.seats), chosen))}."
        yield from self._placed(before, after)
        for seat in range(after.seats):
            yield from self._got(before, after, seat)

    def _chooses(self, seat: int, action: int) -> str:
        return f"{self.who[seat]} chooses {ACTION_NAMES[action]}"

    def _sentence(self, s: Record, action: int) -> str:
        question, seat = s.question, s.asked
        if question in (race.DISCARD, race.PAY, race.FOR_VP, race.CONSUME):
            return self._picked(s, seat, action)
        if question == race.SPECIAL and action != race.SPECIALS:
            return f"settles {name(s.placing[seat] - 1)} and does so to {specials_text(action - race.SPECIALS)}"
        if question == race.TRADE_GOOD:
            card = int(FIRST_CARD[action])
            return f"trades the {DESIGNS[int(DESIGN[card])].good} good of {name(card)}"
        if question == race.GUESS:
            return f"gambles on a cost of {action - race.GUESSES}"
        if question == race.USE_POWER:
            if action == race.DONE:
                return "uses no more powers"
            power = CONSUME_POWERS[action - race.POWER]
            return "" if power.effect < FROM_HAND else f"uses {DESIGNS[power.design].name}"
        if question == race.WINDFALL:
            return f"chooses to produce on {name(int(FIRST_CARD[action]))}"
        return ""

    def _picked(self, s: Record, seat: int, action: int) -> str:
        if action != race.DONE:
            self.picks.append(int(card_for(s, action)))
            if s.left > 1:
                return ""
        picks, self.picks = sorted(self.picks), []
        pool = members([pickable_word(s, 0), pickable_word(s, 1)])
        kept, given = [c for c in pool if c not in picks], picks
        if s.keeps[seat]:
            kept, given = given, kept
        if s.question == race.CONSUME:
            return f"consumes the good{'s' if len(given) > 1 else ''} of {listed(given)} with {self._power(s)}"
        if s.question == race.FOR_VP:
            return f"gives {listed(given)} for victory points"
        if s.question == race.PAY:
            return f"pays for {name(s.placing[seat] - 1)} with {listed(given)}"
        if s.stage == race.EXPLORE_KEEP:
            return f"explores {len(pool)} cards, keeps {listed(kept)} and discards {listed(given)}"
        if s.stage == race.SETUP_DISCARD:
            return f"keeps {listed(kept)} and discards {listed(given)}"
        return f"discards {listed(given)} at the end of the round"

    @staticmethod
    def _power(s: Record) -> str:
        return DESIGNS[CONSUME_POWERS[s.power].design].name

    def _placed(self, before: Record, after: Record) -> Iterator[str]:
        """Cards that were laid down."""
        if before.question != race.PLACE or (after.question == race.PLACE and after.stage == before.stage):
            return
        for seat in range(after.seats):
            new = [after.tableau[seat, i] for i in range(before.size[seat], after.size[seat])]
            for card in new:
                if before.stage == race.DEVELOP_PLACE:
                    yield f"  {self.who[seat]} develops {name(card)} (cost {COST[card]})."
                else:
                    how = f"defence {COST[card]}" if IS_MILITARY[card] else f"cost {COST[card]}"
                    yield f"  {self.who[seat]} settles {name(card)} ({how})."
            if not new:
                yield f"  {self.who[seat]} places nothing."

    def _got(self, before: Record, after: Record, seat: int) -> Iterator[str]:
        """Goods that appeared, chips gained, cards drawn."""
        had = {before.tableau[seat, i] for i in range(before.size[seat]) if before.good[seat, i]}
        produced = [
            after.tableau[seat, i]
            for i in range(after.size[seat])
            if after.good[seat, i] and after.tableau[seat, i] not in had
        ]
        if produced:
            yield f"  {self.who[seat]} gets goods on {listed(produced)}."
        chips = after.chips[seat] - before.chips[seat]
        if chips:
            yield f"  {self.who[seat]} gains {chips} VP."
        drawn = [card for card in members(after.hand[seat]) if card not in members(before.hand[seat])]
        if drawn and after.stage != race.EXPLORE_KEEP:
            yield f"  {self.who[seat]} draws {listed(drawn)}."

    def _end(self, state: State) -> Iterator[str]:
        s, scores, returns = state.record, state.scores, state.returns
        yield f"The end, after {s.round} rounds; {s.pool} VP left in the pool."
        for seat in range(s.seats):
            six = sum(bool(DESIGNS[int(DESIGN[s.tableau[seat, i]])].bonus) for i in range(s.size[seat]))
            yield (
                f"  {self.who[seat]}: {scores[seat]:g} points, {s.chips[seat]} of them chips, {s.size[seat]} cards"
                f" in the tableau{f', {six} six-cost developments' if six > 1 else ''}"
                f"{', the winner' if returns[seat] > 0 else ''}"
            )


def narrate(state: State, moves: list[int]) -> Iterator[str]:
    """A game from its start, sentence by sentence."""
    return Narrator([f"Player {seat}" for seat in range(state.seats)]).narrate(state, moves)
