"""Words are enough to play by: a scripted reader of a position's text, who sees nothing else, knows every public fact
and can name every action.

A reader is a few patterns per game. What it has read is compared with the record.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import boardwright as bw
from boardwright.games.colonizers.cards import COLONISTS, MODULES
from boardwright.games.colonizers.text import PHASES as COLONIZERS_PHASES
from boardwright.games.kuhn_poker.text import CARD_NAMES
from boardwright.games.lords.board import COLUMNS, ROWS, SQUARES, square_name
from boardwright.games.lords.cards import kinds_of, turned
from boardwright.games.lords.elimination import side_of
from boardwright.games.lords.information import hand_of
from boardwright.games.lords.text import FACES_UP, RANK_LETTERS, arrows_text, card_label
from boardwright.games.race.bits import members
from boardwright.games.race.cards import DESIGN, DESIGNS
from boardwright.games.race.state import HIDDEN
from boardwright.games.race.text import ACTION_NAMES
from boardwright.games.race.text import PHASES as RACE_PHASES
from boardwright.games.wonders.cards import STRUCTURES
from boardwright.kernel import Observation, Record
from boardwright.llm.prompt import FREE, NUMBERED, choice, question

Facts = dict[str, Any]
GAMES = 6
SEATS = {"race": (2, 4), "wonders": (3, 5)}


def observations(name: str, games: int = GAMES) -> Iterator[Observation]:
    """What the seat to move sees, now and then in random games."""
    game = bw.game(name)
    for seed in range(games):
        chance = random.Random(seed)
        counts = SEATS.get(name, game.seats)
        state = game.new(seed=seed, seats=counts[seed % len(counts)])
        while not state.is_terminal:
            legal = state.legal_actions()
            if len(legal) > 1 and chance.random() < 0.3:
                yield state.observation(state.player)
            state.apply(chance.choice(legal))


@pytest.mark.parametrize("name", bw.games())
def test_every_legal_action_can_be_named(name: str) -> None:
    """By its number where the choices are listed, and by its words where they are not."""
    game = bw.game(name)
    for observation in observations(name):
        actions = observation.legal_actions()
        texts = [game.describe(observation, action) for action in actions]
        asked = question(game, observation, actions, [], NUMBERED, "")
        listed = re.findall(r"^(\d+)\. (.+)$", asked.partition("Your choices:\n")[2], re.MULTILINE)
        assert [text for text, (_, line) in zip(texts, listed, strict=True) if not line.startswith(text)] == []
        assert [choice(f"ACTION: {number}", texts, NUMBERED) for number, _ in listed] == list(range(len(texts)))
        assert [choice(f"ACTION: {text}", texts, FREE) for text in texts] == list(range(len(texts)))


def cards(text: str, between: str = ", ") -> Counter[str]:
    """Names of cards, "Quarry ×2, Farm (green, cost 1)", with how many there are."""
    found: Counter[str] = Counter()
    for part in re.sub(r" \([^)]*\)", "", text).split(between):
        name, _, copies = part.partition(" ×")
        if name not in ("", "empty", "nothing"):
            found[name] += int(copies or 1)
    return found


def after(text: str, mark: str) -> str:
    """What stands in the line behind a mark; empty if it is nowhere."""
    found = re.search(rf"^ *{re.escape(mark)} ?(.*)$", text, re.MULTILINE)
    return found[1] if found else ""


# Connect Four and Kuhn poker


def read_connect_four(text: str) -> Facts:
    rows = [line.split() for line in text.splitlines()[:6]]
    return {"board": [[".XO".index(cell) for cell in row] for row in reversed(rows)]}


def connect_four(s: Record, seat: int) -> Facts:
    return {"board": s.board.tolist()}


def read_kuhn_poker(text: str) -> Facts:
    held, _, chosen = text.partition("; ")
    words = [] if chosen == "nothing bet yet" else chosen.split(" – ")
    return {
        "cards": re.findall(r"seat \d: (\S+?)(?:,|$)", held),
        "choices": [word in ("bet", "call") for word in words],
    }


def kuhn_poker(s: Record, seat: int) -> Facts:
    return {
        "cards": [CARD_NAMES[int(card)] for card in s.card[:2]],
        "choices": [bool(s.choice[place]) for place in range(s.choices)],
    }


# Colonizers


def read_colonizers(text: str) -> Facts:
    head = re.match(r"Round (\d+): (.+?), seat (\d)(?: \(you\))? to choose; (\d+) modules in the deck", text)
    assert head
    seats = re.findall(r"^[> ] seat \d(?: \(you\))?: (\d+) Omnium, (\d+)/\d cards, (-?\d+) points?, (.+)$", text, re.M)
    return {
        "round": int(head[1]),
        "phase": head[2],
        "turn": int(head[3]) - 1,
        "deck": int(head[4]),
        "omnium": [int(omnium) for omnium, *_ in seats],
        "hand sizes": [int(size) for _, size, *_ in seats],
        "colonists": [colonist.removesuffix(" (secret)") for *_, colonist in seats if not colonist.endswith("?")],
        "colonies": [cards(colony) for colony in re.findall(r"^    colony \d+/\d+: (.+)$", text, re.M)],
        "hand": cards(after(text, "hand:")),
        "drawn": cards(after(text, "Drawn:")),
        "out of the game": cards(after(text, "Out of the game:")),
    }


def counted(counts: Any) -> Counter[str]:
    return Counter({module.name: int(n) for module, n in zip(MODULES, counts, strict=True) if n})


def colonizers(s: Record, seat: int) -> Facts:
    known = [int(colonist) for colonist in s.colonist]
    return {
        "round": int(s.round),
        "phase": COLONIZERS_PHASES[s.phase],
        "turn": int(s.turn),
        "deck": int(s.deck_size),
        "omnium": s.omnium.tolist(),
        "hand sizes": s.hand_size.tolist(),
        "colonists": [
            "no colonist yet" if one == -1 else COLONISTS[one].name for one in known if one == -1 or one >= 0
        ],
        "colonies": [counted(colony) for colony in s.colony],
        "hand": counted(s.hand[seat]),
        "drawn": Counter(MODULES[kind].name for kind in s.drawn.tolist() if kind >= 0)
        if COLONIZERS_PHASES[s.phase] == "Discard"
        else Counter(),
        "out of the game": counted(s.removed),
    }


# 7 Wonders


def read_wonders(text: str) -> Facts:
    head = re.match(r"Age (I+), turn (\d)", text)
    assert head
    line = r"^seat (\d).*?: (\w+) ([AB]), (\d) of \d stages, (\d+) coins?, (\d+) shields?, tokens \+(\d+) -(\d+)"
    found: Facts = {"age": len(head[1]) - 1, "turn": int(head[2]) - 1}
    for part in re.split(r"^(?=seat \d)", text, flags=re.M)[1:]:
        about = re.match(line, part, re.M)
        assert about
        part = part.partition("discards:")[0]
        built = re.findall(r"^  (?:brown|grey|blue|yellow|red|green|purple): (.+)$", part, re.M)
        found[f"seat {about[1]}"] = {
            "numbers": [int(number) for number in about.groups()[3:]],
            "built": cards(", ".join(built)),
            "has chosen": "  has chosen" in part,
        }
    hand = text.partition("your hand:\n")[2]
    found["hand"] = Counter(re.findall(r"^  (.+?) \((?:brown|grey|blue|yellow|red|green|purple)\): ", hand, re.M))
    return found


def wonders(s: Record, seat: int) -> Facts:
    from boardwright.games.wonders.text import packet_of

    found: Facts = {"age": int(s.age), "turn": int(s.turn)}
    for who in range(s.seats):
        city = s.city[who]
        found[f"seat {who + 1}"] = {
            "numbers": [int(n) for n in (city.stages, city.coins, city.shields, city.victory, city.defeats)],
            "built": Counter(STRUCTURES[kind].name for kind, built in enumerate(city.built.tolist()) if built),
            "has chosen": who != seat and int(s.chosen[who]) != -1,
        }
    held = s.hand[packet_of(s, seat)].tolist()
    found["hand"] = Counter(STRUCTURES[kind].name for kind in held if kind >= 0)
    return found


# Race for the Galaxy


def read_race(text: str) -> Facts:
    head = re.match(r"(?:round (\d+)|setup)(?:: ([\w, ]+?))? \| pool (\d+|empty) \| deck (\d+) \| discards (\d+)", text)
    assert head
    found: Facts = {
        "numbers": [int(number or 0) for number in (head[1], head[3].replace("empty", "0"), *head.groups()[3:])],
        "phases": [phase for phase in (head[2] or "").split(", ") if phase],
        "seen": cards(after(text, "has seen in the discard pile or in other hands:")),
        "picked": cards(after(text, "picked:")),
    }
    for part in re.split(r"^(?=seat \d(?: \(first\))?: )", text, flags=re.M)[1:]:
        about = re.match(
            r"seat (\d)( \(first\))?: -?\d+ points?, (\d+) chips?, military ([+-]\d+)(?: \| (.+))?$", part, re.M
        )
        assert about
        placed = re.findall(r"^  ([^ :(].*?) \([^\n]*\)( \[\w+ good\])?$", part, re.M)
        hand = re.findall(r"^    (.+?) \(", part, re.M)
        size = re.search(r"^  hand(?: \((\d+)\)|: (\d+) cards?)", part, re.M)
        assert size
        found[f"seat {about[1]}"] = {
            "first": bool(about[2]),
            "chips": int(about[3]),
            "military": int(about[4]),
            "action": about[5] or "",
            "tableau": [name for name, _ in placed],
            "goods": [bool(good) for _, good in placed],
            "hand size": int(size[1] or size[2]),
            "hand": Counter(hand),
        }
    return found


def named(cards: Any) -> Counter[str]:
    return Counter(DESIGNS[int(DESIGN[card])].name for card in members(cards))


def race(s: Record, seat: int) -> Facts:
    from boardwright.games.race.cards import MILITARY
    from boardwright.games.race.state import DISCARD, FOR_VP, PAY, ROUND_CHOOSE

    asked = int(s.question) in (DISCARD, PAY, FOR_VP)
    found: Facts = {
        "numbers": [int(n) for n in (s.round, max(0, s.pool), s.deck_size, s.discard_size)],
        "phases": [phase for place, phase in enumerate(RACE_PHASES) if s.phases >> place & 1],
        "seen": named(s.knows[seat]),
        "picked": named(s.picked[seat]) if asked else Counter(),
    }
    for who in range(s.seats):
        action = int(s.chosen[who])
        hidden = action == HIDDEN or (int(s.stage) == ROUND_CHOOSE and who != seat)
        found[f"seat {who + 1}"] = {
            "first": int(s.first) == who,
            "chips": int(s.chips[who]),
            "military": int(s.standing[who, MILITARY]),
            "action": "" if not action else "has chosen" if hidden else ACTION_NAMES[action],
            "tableau": [DESIGNS[int(DESIGN[s.tableau[who, place]])].name for place in range(s.size[who])],
            "goods": [bool(s.good[who, place]) for place in range(s.size[who])],
            "hand size": int(s.hand_size[who]),
            "hand": named(s.hand[who]) if who == seat else Counter(),
        }
    return found


# Lords of War


def read_lords(text: str) -> Facts:
    lines = text.splitlines()
    head = re.search(r"(\S) seat (\d) \(", lines[0])
    assert head
    rows = [line.split("|")[1:-1] for line in lines if line.count("|") == COLUMNS + 1]
    board: Facts = {}
    letters = re.findall(r"[a-g]", next(line for line in lines if re.fullmatch(r" +a.*g *| +g.*a *", line)))
    ranks = [line[0] for line in lines if re.match(r"[1-6] \|", line)]
    for row in range(ROWS):
        for column in range(COLUMNS):
            cell = [rows[4 * row + i][column] for i in range(4)]
            about = re.match(r"([▲▼])(\w)(\w)(\d)(?:\*(\d))? *(?:t(\d+))?$", cell[3].strip())
            if about:
                around = [cell[0][0], cell[0][4], cell[0][8], cell[1][0], cell[1][8], *(cell[2][i] for i in (0, 4, 8))]
                values = [0 if value == "·" else int(value) for value in around]
                own, rank, kind, defence, missile, threat = about.groups()
                facts = (own == FACES_UP, rank, kind, int(defence), int(missile or 0), int(threat or 0), values)
                board[letters[column] + ranks[row]] = facts
    seats = re.findall(
        r"^[▲▼] seat \d \(.+?\)(?:, you)?: eliminated (\d+)/\d+ cards, (\d)/\d command; hand (\d+), deck (\d+)$",
        text,
        re.M,
    )
    parts = re.split(r"^(?=[▲▼] seat \d \(.+?\)(?:, you)?: eliminated)", text, flags=re.M)[1:]
    return {
        "mover": int(head[2]) - 1,
        "board": board,
        "numbers": [[int(number) for number in numbers] for numbers in seats],
        "lost": [cards(after(part, "has lost:"), "; ") for part in parts],
        "hands": [Counter(re.findall(r"^    (.+?), \w+ \w+, defence \d.*?: (.+)$", part, re.M)) for part in parts],
    }


def lords(s: Record, seat: int) -> Facts:
    order = ("NW", "N", "NE", "W", "E", "SW", "S", "SE")
    from boardwright.games.lords.board import DIRECTIONS

    board: Facts = {}
    for square in range(SQUARES):
        if s.card[square] >= 0:
            side = side_of(s, square)
            card = kinds_of(s.row[side])[s.card[square]]
            values = turned(card.arrows, side)
            facing = [values[(DIRECTIONS.index(one) + (4 if seat == 1 else 0)) % 8] for one in order]
            threat = int(s.attack[1 - side, square])
            about = (RANK_LETTERS[card.rank], card.unit_class[0], card.defence, card.missile, threat, facing)
            board[square_name(square)] = (side == seat, *about)
    return {
        "mover": int(s.mover),
        "board": board,
        "numbers": [
            [int(n) for n in (s.losses[1 - who], s.command_losses[1 - who], s.hand_size[who], s.deck_size[who])]
            for who in (0, 1)
        ],
        "lost": [
            Counter({card_label(s, who, kind): int(n) for kind, n in enumerate(s.dead[who].tolist()) if n})
            for who in (0, 1)
        ],
        "hands": [
            Counter((card.name, arrows_text(card)) for card in (kinds_of(s.row[who])[kind] for kind in hand_of(s, who)))
            for who in (0, 1)
        ],
    }


READERS: dict[str, tuple[Callable[[str], Facts], Callable[[Record, int], Facts]]] = {
    "colonizers": (read_colonizers, colonizers),
    "connect_four": (read_connect_four, connect_four),
    "kuhn_poker": (read_kuhn_poker, kuhn_poker),
    "lords": (read_lords, lords),
    "race": (read_race, race),
    "wonders": (read_wonders, wonders),
}


@pytest.mark.parametrize("name", bw.games())
def test_every_public_fact_can_be_read(name: str) -> None:
    read, true = READERS[name]
    seen = 0
    for observation in observations(name):
        facts = true(observation.record, observation.seat)
        found = read(str(observation))
        for fact, value in facts.items():
            assert found[fact] == value, f"{fact}\n{observation}"
        seen += 1
    assert seen >= 5
