"""Writing problems, cases and answers as XML, in the form that reading.py reads."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from boardwright.games.race.text import ACTION_NAMES
from boardwright.games.race.text import PHASES as PHASE_NAMES
from boardwright.scout.documents.card_numbers import CardNumbering, card_name
from boardwright.scout.problems import problem as problems


def document_text(problem: problems.Problem, choice: problems.Choice | None = None) -> str:
    """A problem, or with its choice a case, as XML with the ids of cards.json."""
    return "\n".join([*_document(problem, choice), ""])


def _document(problem: problems.Problem, choice: problems.Choice | None) -> Iterator[str]:
    yield "<RftgStateCase>"
    yield f"  <Type>{problem.type}</Type>"
    yield f"  <Choices>{dotted(problem.options)}</Choices>"
    yield f"  <Min>{problem.minimum}</Min>"
    yield f"  <Max>{problem.maximum}</Max>"
    if problem.subject != problems.NO_SUBJECT:
        yield f"  <For>{problem.subject}</For>"
    if choice is not None:
        yield f"  <Choice>{dotted(choice)}</Choice>"
    yield f"  <PlayerName>Player {problem.me.seat}</PlayerName>"
    yield f"  <GameID>{escape(problem.game_id)}</GameID>"
    yield "  <Status>"
    yield f"    <Round>{problem.round}</Round>"
    yield "    <Phases>"
    for phase in problem.phases:
        current = ' current="yes"' if phase == problem.phase else ""
        yield f'      <Phase id="{phase}"{current}>{PHASE_NAMES[problems.PHASES.index(phase)]}</Phase>'
    yield "    </Phases>"
    yield f"    <Deck>{problem.deck}</Deck>"
    yield f"    <Discard>{problem.discard}</Discard>"
    yield f"    <Pool>{problem.pool}</Pool>"
    yield "  </Status>"
    for side in (*problem.opponents, problem.me):
        yield from _player(side)
    yield "</RftgStateCase>"


def _player(side: problems.Side) -> Iterator[str]:
    yield f'  <Player id="{side.seat}" ai="yes">'
    yield f"    <Name>Player {side.seat}</Name>"
    yield "    <Actions>"
    if side.action:
        yield f'      <Action id="{side.action}">{ACTION_NAMES[side.action]}</Action>'
    yield "    </Actions>"
    yield f"    <Chips>{side.chips}</Chips>"
    yield f"    <Score>{side.score}</Score>"
    yield f"    <Military>{side.military}</Military>"
    yield f'    <Tableau count="{len(side.tableau)}">'
    for card_id in side.tableau:
        good = ' good="yes" num_goods="1"' if card_id in side.goods else ""
        yield f"      {card_line(card_id, good)}"
    yield "    </Tableau>"
    yield f'    <Hand count="{side.hand_size}">'
    for card_id in side.hand:
        yield f"      {card_line(card_id)}"
    yield "    </Hand>"
    yield "  </Player>"


def card_line(card_id: int, attributes: str = "") -> str:
    return f'<Card id="{card_id}"{attributes}>{escape(card_name(card_id))}</Card>'


def dotted(choice: problems.Choice) -> str:
    return ".".join(f"{option[0]}:{option[1]}" if isinstance(option, tuple) else str(option) for option in choice)


def choice_text(problem: problems.Problem, choice: problems.Choice, numbering: CardNumbering) -> str:
    """The answer to a document, in the numbers that it uses."""
    if problem.type not in (problems.TYPE_ACTION, problems.TYPE_GAMBLE):
        number = numbering.number
        choice = tuple((number(o[0]), o[1]) if isinstance(o, tuple) else number(o) for o in choice)
    return f"<Choice>{dotted(choice)}</Choice>"


def error_text(reason: str) -> str:
    return f"<Error>{escape(reason)}</Error>"


def game_over_text(won: bool | None, score: int, opponent: int) -> str:
    """`won` is None for a tie."""
    winner = "tie" if won is None else "yes" if won else "no"
    return f'<GameOver winner="{winner}" score="{score}" opponent="{opponent}"/>'
