"""Thirty games with one mistake each, as people and language models make them: `boardwright check` is the judge.

Each is a good game of tests/games with one piece of its text replaced. Many are rebuilt from bug reports of programs
for board games: hands passed the wrong way, redeterminizations that mix ages, agents that are handed the true state.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

GAMES = Path(__file__).parent / "games"


@dataclass(frozen=True)
class WrongGame:
    mistake: str
    base: str
    right: str
    wrong: str

    def write(self, folder: Path) -> Path:
        text = (GAMES / f"{self.base}.py").read_text(encoding="utf-8")
        assert text.count(self.right) == 1, (self.mistake, text.count(self.right))
        file = folder / f"{self.base}.py"
        file.write_text(text.replace(self.right, self.wrong), encoding="utf-8")
        return file


DRAFT, DUEL, DICE = "pass_on", "deck_duel", "dice_race"
HIDE_HANDS = "        if not has_seen(s, seat, other):\n            s.hand[other] = 0\n"
HIDE_CHOICES = "        if other != seat and s.choice[other] != NONE:\n            s.choice[other] = UNSEEN\n"
FILL = "                card = PER_AGE * s.age + rng.below(s.rng, PER_AGE)\n                while in_sight"
HAND_OF = "            for _ in range(HAND - s.round):\n"

WRONG = (
    # leaks
    WrongGame("agents are handed the true state", DRAFT, HIDE_HANDS, ""),
    WrongGame("a simultaneous choice is seen before the others choose", DRAFT, HIDE_CHOICES, "        pass\n"),
    WrongGame(
        "the generator is left in the observation, so that draws can be foretold", DRAFT, "    s.rng[:] = 0\n", ""
    ),
    WrongGame("what is left in the deck is shown", DUEL, "    s.pile[other] = 0\n", ""),
    WrongGame(
        "an action tells the others the hidden card", DRAFT, "action if player(s) == SEATS - 1 else UNSEEN", "action"
    ),
    WrongGame(
        "whose turn it is depends on hidden cards",
        DUEL,
        "    return 0 if s.choice == NONE else 1",
        "    return 0 if s.choice == NONE or s.hand[1, 0] > 2 else 1",
    ),
    WrongGame("hidden cards are blanked for the wrong seat", DUEL, "    s.hand[other] = 0\n", "    s.hand[seat] = 0\n"),
    # samplers
    WrongGame(
        "redeterminization mixes the ages",
        DRAFT,
        FILL,
        FILL.replace("PER_AGE * s.age + rng.below(s.rng, PER_AGE)", "rng.below(s.rng, CARDS)", 1),
    ),
    WrongGame(
        "a determinization forgets what was passed on",
        DRAFT,
        "    for _ in range(s.round + 1):",
        "    for _ in range(1):",
    ),
    WrongGame(
        "a determinization deals one card too many",
        DRAFT,
        HAND_OF + FILL,
        HAND_OF.replace("s.round", "s.round + 1") + FILL,
    ),
    WrongGame(
        "a determinization deals a card twice",
        DRAFT,
        "                while in_sight(s, card) > 0:",
        "                while s.hand[other, card] > 0:",
    ),
    WrongGame(
        "a determinization leaves a hidden choice blank",
        DRAFT,
        "        if s.choice[other] == UNSEEN:",
        "        if s.choice[other] == NONE:",
    ),
    WrongGame(
        "every determinization is the same world",
        DUEL,
        "    rng.seed(s.rng, seed)\n    other = 1 - seat\n",
        "    rng.seed(s.rng, 7)\n    other = 1 - seat\n",
    ),
    WrongGame(
        "a determinization changes the seat's own hand",
        DUEL,
        "    held = HAND\n",
        "    held = HAND\n    s.hand[seat] = s.hand[seat][::-1].copy()\n",
    ),
    # rules
    WrongGame(
        "hands are passed the wrong way",
        DRAFT,
        "        at = (at + 2) % SEATS if s.age == 0 else (at + 1) % SEATS",
        "        at = (at + 1) % SEATS if s.age == 0 else (at + 2) % SEATS",
    ),
    WrongGame("a card that was laid down stays in the hand", DRAFT, "        s.hand[one, s.choice[one]] -= 1\n", ""),
    WrongGame(
        "a dealt card stays in the deck",
        DRAFT,
        "            s.deck[card] -= 1\n            s.hand[seat",
        "            s.hand[seat",
    ),
    WrongGame(
        "actions are offered that are not legal",
        DUEL,
        "        if s.hand[player(s), kind] > 0:",
        "        if s.hand[player(s), kind] >= 0:",
    ),
    WrongGame("one action is offered twice", DICE, "out[0], out[1] = STAY, ROLL", "out[0], out[1] = ROLL, ROLL"),
    WrongGame(
        "nothing is legal and the game is not over",
        DUEL,
        "        if s.hand[player(s), kind] > 0:",
        "        if s.hand[player(s), kind] > 1:",
    ),
    WrongGame("the game never ends", DICE, "    s.turn += 1\n", "    s.turn += action\n"),
    WrongGame(
        "chance comes from outside of the state",
        DUEL,
        "    place = rng.below(rng_state, left)\n",
        "    place = np.random.randint(left)\n",
    ),
    WrongGame("the seed does not matter", DICE, "    rng.seed(s.rng, seed)\n", "    rng.seed(s.rng, 5)\n"),
    WrongGame("chance in play is not declared", DICE, '    chance="play",\n', '    chance="deal",\n'),
    WrongGame("a field is too small for the points", DICE, 'points=("i2", 4)', 'points=("i1", 4)'),
    WrongGame(
        "a rule reaches beyond its array",
        DICE,
        "        out[seat] = s.points[seat]\n",
        "        out[seat] = s.points[seat + 2]\n",
    ),
    WrongGame(
        "returns lie beyond the declared bounds",
        DRAFT,
        "        out[seat] = 1.0 / winners if",
        "        out[seat] = 2.0 if",
    ),
    WrongGame(
        "scores are not numbers",
        DICE,
        "        out[seat] = s.points[seat]\n",
        "        out[seat] = s.points[seat] + 1e308 * 10 - 1e308 * 10\n",
    ),
    WrongGame(
        "two actions have one text",
        DUEL,
        "describe_action=lambda s, action: name_of(action)",
        "describe_action=lambda s, action: name_of(action // 2)",
    ),
    WrongGame(
        "a policy chooses what is not legal",
        DICE,
        "    return ROLL if s.points[s.turn % s.seats] == 0 else STAY",
        "    return 2",
    ),
)
