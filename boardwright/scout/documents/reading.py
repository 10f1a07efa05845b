"""Reading problems and cases from XML in the form of the dissertation's Listing 4.1; with a <Choice> it is a case.

Beyond the listing there are <Min> and <Max>, how many to choose, and <For>, the card being placed or whose power is
used. Where <Min> and <Max> are missing, the rules say how many. writing.py writes them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from boardwright.games.race.cards import CARDS, FIRST_CARD, IS_WORLD
from boardwright.games.race.state import PHASE_OF_ACTION, ROUND_ACTIONS, ROUNDS, TABLEAU_ROOM
from boardwright.scout.documents import xml_parsing
from boardwright.scout.documents.card_numbers import MAX_CARD_NUMBER, CardNumbering
from boardwright.scout.documents.validation import check_bounds, check_cards_and_options, check_choice
from boardwright.scout.problems import problem as problems
from boardwright.scout.problems.bounds import bounds

ROOT = "RftgStateCase"
MAX_VALUE = 9999
"""Of points and the like."""
_LONGEST_ID = 100


@dataclass(frozen=True)
class Document:
    problem: problems.Problem
    choice: problems.Choice | None
    """What was chosen, if the document is a case."""
    numbering: CardNumbering
    """How the document numbers its cards."""


def read_document(data: bytes) -> Document:
    """A problem or a case; BadDocument says which element is wrong, and how."""
    return document_in(xml_parsing.parse(data))


def document_in(root: Element) -> Document:
    if root.tag != ROOT:
        raise problems.BadDocument(f"<{xml_parsing.printable(root.tag)}> where <{ROOT}> is expected")
    numbering = CardNumbering(root)
    problem = _problem(root, numbering)
    chosen = xml_parsing.optional(root, "Choice")
    choice = None if chosen is None else _options(xml_parsing.text_of(chosen), "<Choice>", problem.type, numbering)
    check_cards_and_options(problem)
    problem = _bounded(root, problem, choice)
    if choice is not None:
        check_choice(problem, choice)
    return Document(problem, choice, numbering)


def _problem(root: Element, numbering: CardNumbering) -> problems.Problem:
    kind = xml_parsing.number(root, "Type", 0, MAX_VALUE)
    if kind not in problems.TYPES:
        raise problems.BadDocument(
            f"<Type>: there is no question of type {kind}; there are {', '.join(map(str, problems.TYPES))}"
        )
    status = xml_parsing.child(root, "Status")
    blocks = root.findall("Player")
    if len(blocks) not in problems.SEATS:
        raise problems.BadDocument(
            f"<{ROOT}> has {len(blocks)} elements <Player>; Race for the Galaxy is for {problems.SEATS[0]} to"
            f" {problems.SEATS[-1]}"
        )
    sides = [_side(block, numbering, len(blocks), block is blocks[-1]) for block in blocks]
    me = sides.pop()
    for side in sides:
        if [me.seat, *(other.seat for other in sides)].count(side.seat) > 1:
            raise problems.BadDocument(f"<Player id>: more than one player is {side.seat}")
    opponent, *others = problems.leader_first(sides, me.seat)
    subject = _subject(root, numbering)
    phases, current = _phases(status)
    game_id = xml_parsing.optional(root, "GameID")
    return problems.Problem(
        type=kind,
        options=_options(xml_parsing.text_of(xml_parsing.child(root, "Choices")), "<Choices>", kind, numbering),
        minimum=0,
        maximum=0,
        subject=subject,
        round=xml_parsing.number(status, "Round", 0, ROUNDS),
        phases=phases,
        phase=current or _phase_of(kind, subject),
        deck=xml_parsing.number(status, "Deck", 0, 10**9),
        discard=xml_parsing.number(status, "Discard", 0, CARDS),
        pool=xml_parsing.number(status, "Pool", -MAX_VALUE, MAX_VALUE),
        me=me,
        opponent=opponent,
        game_id="" if game_id is None else _game_id(game_id),
        others=tuple(others),
    )


def _game_id(element: Element) -> str:
    text = xml_parsing.text_of(element)
    if len(text) > _LONGEST_ID or not text.isprintable():
        raise problems.BadDocument(f"<GameID>: more than {_LONGEST_ID} letters, or some that cannot be shown")
    return text


def _side(block: Element, numbering: CardNumbering, players: int, mine: bool) -> problems.Side:
    tableau, hand = xml_parsing.child(block, "Tableau"), xml_parsing.child(block, "Hand")
    placed = [(numbering.card_of(card), card.get("good") == "yes") for card in tableau.findall("Card")]
    if not 1 <= len(placed) <= TABLEAU_ROOM:
        raise problems.BadDocument(f"<Tableau>: {len(placed)} cards; there can be 1 to {TABLEAU_ROOM}")
    if "count" in tableau.attrib and xml_parsing.attribute(tableau, "count", 0, CARDS) != len(placed):
        raise problems.BadDocument(f"<Tableau count>: {tableau.get('count')}, but {len(placed)} cards are listed")
    held = sorted(numbering.card_of(card) for card in hand.findall("Card"))
    size = xml_parsing.attribute(hand, "count", 0, CARDS)
    if held and not mine:
        raise problems.BadDocument(
            "<Hand>: the last <Player> is asked; before it come the others, whose hand is not known"
        )
    if mine and len(held) != size:
        raise problems.BadDocument(f"<Hand count>: {size}, but {len(held)} cards are listed")
    return problems.Side(
        seat=xml_parsing.attribute(block, "id", 0, players - 1),
        action=_action(block),
        chips=xml_parsing.number(block, "Chips", 0, MAX_VALUE),
        score=xml_parsing.number(block, "Score", -MAX_VALUE, MAX_VALUE),
        military=xml_parsing.number(block, "Military", -MAX_VALUE, MAX_VALUE),
        tableau=tuple(card_id for card_id, _ in placed),
        goods=tuple(card_id for card_id, good in placed if good),
        hand=tuple(held),
        hand_size=size,
    )


def _action(block: Element) -> int:
    actions = xml_parsing.optional(block, "Actions")
    chosen = None if actions is None else xml_parsing.optional(actions, "Action")
    return 0 if chosen is None else _code(chosen)


def _code(element: Element) -> int:
    code = xml_parsing.attribute(element, "id", 0, MAX_VALUE)
    if code not in ROUND_ACTIONS:
        raise problems.BadDocument(f"<{element.tag} id>: there is no action {code}")
    return code


def _phases(status: Element) -> tuple[tuple[int, ...], int]:
    """The phases of the round and the one under way. Both actions of a phase stand for it."""
    listed = xml_parsing.optional(status, "Phases")
    taking_place, current = set(), 0
    for element in () if listed is None else listed.findall("Phase"):
        phase = problems.PHASES[PHASE_OF_ACTION[_code(element)].bit_length() - 1]
        taking_place.add(phase)
        if element.get("current") == "yes":
            if current not in (0, phase):
                raise problems.BadDocument("<Phases>: two phases are current")
            current = phase
    return tuple(sorted(taking_place)), current


def _phase_of(kind: int, subject: int) -> int:
    """The phase in which a question is asked, if the document does not mark it."""
    if kind in (problems.TYPE_ACTION, problems.TYPE_DISCARD):
        return 0
    if kind == problems.TYPE_PAYMENT and subject != problems.NO_SUBJECT:
        return problems.TYPE_SETTLE if IS_WORLD[FIRST_CARD[problems.DESIGN_OF_ID[subject]]] else problems.TYPE_DEVELOP
    return {problems.TYPE_DEVELOP: 3, problems.TYPE_SETTLE: 5, problems.TYPE_PAYMENT: 0, problems.TYPE_WINDFALL: 9}.get(
        kind, 7
    )


def _subject(root: Element, numbering: CardNumbering) -> int:
    element = xml_parsing.optional(root, "For")
    text = "" if element is None else xml_parsing.text_of(element)
    if not text:
        return problems.NO_SUBJECT
    card, _, power = text.partition(":")
    if power:
        xml_parsing.number_in(power, "<For>", 0, MAX_VALUE)
    return numbering.card_id(xml_parsing.number_in(card, "<For>", 0, MAX_CARD_NUMBER), "<For>")


def _options(text: str, where: str, kind: int, numbering: CardNumbering) -> tuple[problems.Option, ...]:
    """Numbers separated by dots: cards, pairs card:power, action codes, or guesses."""
    if not re.fullmatch(r"([0-9]{1,4}(:[0-9]{1,2})?(\.[0-9]{1,4}(:[0-9]{1,2})?)*)?", text):
        raise problems.BadDocument(f"{where}: {xml_parsing.printable(text)!r} should be numbers separated by dots")
    options: list[problems.Option] = []
    for word in filter(None, text.split(".")):
        card, _, power = word.partition(":")
        if kind in (problems.TYPE_ACTION, problems.TYPE_GAMBLE):
            options.append(xml_parsing.number_in(word, where, 0, MAX_VALUE))
        elif power:
            options.append((numbering.offer(int(card), where), int(power)))
        else:
            options.append(numbering.offer(int(card), where))
    return tuple(options)


def _bounded(root: Element, problem: problems.Problem, choice: problems.Choice | None) -> problems.Problem:
    """How many to choose, as the document or else the rules say; that many cards were wanted as a case shows."""
    given = [
        None if xml_parsing.optional(root, tag) is None else xml_parsing.number(root, tag, 0, CARDS)
        for tag in ("Min", "Max")
    ]
    low, high = given
    if low is None or high is None:
        least, most = bounds(problem)
        if choice is not None and problem.type in (problems.TYPE_DISCARD, problems.TYPE_PAYMENT, problems.TYPE_GOODS):
            least, most = min(least, len(choice)), max(most, len(choice))
        low = min(least, most if high is None else high) if low is None else low
        high = max(most, low) if high is None else high
    problem = replace(problem, minimum=low, maximum=high)
    check_bounds(problem)
    return problem
