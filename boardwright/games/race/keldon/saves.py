"""Files of saved games: reading and writing the plain format and the XML export (docs/rules/race.md, section 5.1).

What comes in from outside is checked here: version, expansion, counts, ranges, sizes. Whether the choices make a legal
game is for replay.py to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape, quoteattr

import pydantic
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from boardwright.errors import BadRecord, BadSpec
from boardwright.files import parse_json
from boardwright.games.race.state import SEATS

MAGIC = "RFTG Save"
VERSION = "0.9.4"
MOST_BYTES = 4 << 20
"""Of a saved game; real ones have a few thousand."""
MOST_CORPUS_BYTES = 1 << 30
LONGEST_LOG = 100_000


class BadSave(BadRecord):
    """A saved game that cannot be read or does not replay; the message names file, player, entry and reason."""


class ExpectedPlayer(pydantic.BaseModel):
    """How a player should end up; what is None is not known."""

    chips: int | None = None
    score: int | None = None
    winner: bool | None = None
    tableau: list[str] | None = None
    goods: list[str] | None = None
    hand: list[str] | None = None
    tableau_cards: list[int] | None = None
    goods_on: list[int] | None = None
    hand_cards: list[int] | None = None
    hand_count: int | None = None
    turn_index: int | None = None


class Expected(pydantic.BaseModel):
    """How a game should end."""

    round: int | None = None
    pool: int | None = None
    deck: int | None = None
    discard: int | None = None
    end_seed: int | None = None
    first_seat: int | None = None
    players: list[ExpectedPlayer] = []
    by_turn: bool = False
    """Whether the players stand in turn order, not in seat order."""


class Corpus(pydantic.BaseModel):
    """A line of a corpus file."""

    name: str = ""
    version: str = VERSION
    seed: int = pydantic.Field(ge=0, lt=2**32)
    players: int = 2
    expansion: int = 0
    logs: list[list[int]]
    expected: Expected | None = None


@dataclass(frozen=True)
class Save:
    """A game as the original program saves it: the seed and every player's choices."""

    seed: int
    logs: list[list[int]]
    name: str = ""
    """Where it comes from, for messages."""
    expected: Expected = field(default_factory=Expected)

    @property
    def seats(self) -> int:
        return len(self.logs)


def read_saves(file: Path) -> Iterator[Save]:
    """Every game of a file: a plain save, an XML export, or a corpus with one JSON object per line."""
    for save in readable_saves(file):
        if isinstance(save, BadSave):
            raise save
        yield save


def readable_saves(file: Path) -> Iterator[Save | BadSave]:
    """The same, with what is wrong in place of a game that cannot be read."""
    try:
        yield from _saves_in(file)
    except BadSave as error:
        yield error


def _saves_in(file: Path) -> Iterator[Save | BadSave]:
    try:
        size = file.stat().st_size
        with file.open("rb") as stream:
            head = stream.read(256).lstrip(b"\xef\xbb\xbf \t\r\n")
    except OSError as error:
        raise BadSave(f"{file}: cannot be read: {error.strerror}") from None
    corpus = head[:1] in (b"{", b"[")
    limit = MOST_CORPUS_BYTES if corpus else MOST_BYTES
    if size > limit:
        raise BadSave(f"{file}: {size:,} bytes is too large; the limit is {limit:,}")
    if corpus:
        yield from _read_corpus(file, head[:1] == b"[")
    elif head[:1] == b"<":
        yield read_xml(file.read_bytes(), str(file))
    else:
        yield read_plain(_text(file.read_bytes(), str(file)), str(file))


def nth_save(saves: Iterable[Save], number: int, file: Path) -> Save:
    """The game of that number in a file, from 1."""
    for i, save in enumerate(saves, 1):
        if i == number:
            return save
    raise BadSpec(f"{file} has no game {number}")


def is_save(file: Path) -> bool:
    """Whether a file looks like one of these rather than like a record of ours."""
    try:
        with file.open("rb") as stream:
            head = stream.read(2048).lstrip(b"\xef\xbb\xbf \t\r\n")
    except OSError:
        return False
    return head.startswith((b"<", MAGIC.encode())) or (head[:1] in (b"{", b"[") and b'"logs"' in head)


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadSave(f"{where}: not a saved game: not text") from None


def _read_corpus(file: Path, as_list: bool) -> Iterator[Save | BadSave]:
    """A line that is no game does not keep the others from being read."""
    if as_list:
        if file.stat().st_size > 64 << 20:
            raise BadSave(f"{file}: too large for one JSON list; write one game per line")
        try:
            games = parse_json(_text(file.read_bytes(), str(file)))
        except ValueError as error:
            raise BadSave(f"{file}: not JSON: {error}") from None
        for number, game in enumerate(games, 1):
            try:
                yield _corpus_game(game, f"{file}, game {number}")
            except BadSave as error:
                yield error
        return
    with file.open("rb") as lines:
        number = 0
        while line := lines.readline(MOST_BYTES + 1):
            number += 1
            where = f"{file}, line {number}"
            if len(line) > MOST_BYTES:
                yield BadSave(f"{where}: longer than {MOST_BYTES:,} bytes")
                while line and not line.endswith(b"\n"):
                    line = lines.readline(MOST_BYTES)
            elif line.strip():
                try:
                    yield _corpus_game(parse_json(line), where)
                except BadSave as error:
                    yield error
                except ValueError as error:
                    yield BadSave(f"{where}: not JSON: {error}")


def _corpus_game(fields: Any, where: str) -> Save:
    try:
        game = Corpus.model_validate(fields)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        raise BadSave(f"{where}: field {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    where = f"{where} ({game.name})" if game.name else where
    _check_version(game.version, where)
    _check_setup(game.players, game.expansion, where)
    if len(game.logs) != game.players:
        raise BadSave(f"{where}: {len(game.logs)} logs for {game.players} players")
    for seat, log in enumerate(game.logs):
        _check_log(log, seat, where)
    return Save(game.seed, game.logs, where, game.expected or Expected())


def _check_version(version: str, where: str) -> None:
    if version != VERSION:
        raise BadSave(f"{where}: version {version[:40]!r} is not known here; this reads {VERSION}")


def _check_setup(players: int, expansion: int, where: str) -> None:
    if expansion != 0:
        raise BadSave(f"{where}: an expansion game (expansion {expansion}); only the base game is known here")
    if players not in SEATS:
        raise BadSave(f"{where}: {players} players; the base game here has 2 to 4")


def _check_log(log: list[int], seat: int, where: str) -> None:
    if len(log) > LONGEST_LOG:
        raise BadSave(f"{where}: player {seat}: a log of {len(log):,} numbers is too long")
    for number in log:
        if not -(2**31) <= number < 2**31:
            raise BadSave(f"{where}: player {seat}: {number} is out of range")


def read_plain(text: str, where: str) -> Save:
    """The plain format: "RFTG Save", version, seed, players and expansion, three flags, campaign, a log per player."""
    lines = text.split("\n")
    if lines[0].strip() != MAGIC:
        raise BadSave(f"{where}: not a saved game: the first line is not {MAGIC!r}")
    return _read_body(lines[1:], where)


def _read_body(lines: list[str], where: str) -> Save:
    lines = [line.strip() for line in lines]
    while lines and not lines[0]:
        lines.pop(0)
    header = ("version", "seed", "players and expansion", "flags", "campaign")
    if len(lines) < len(header) or not all(lines[: len(header)]):
        missing = next((name for i, name in enumerate(header) if i >= len(lines) or not lines[i]), header[-1])
        raise BadSave(f"{where}: the line with the {missing} is missing")
    _check_version(lines[0], where)
    (seed,) = _integers(lines[1], 1, "seed", where)
    if not 0 <= seed < 2**32:
        raise BadSave(f"{where}: seed {seed} is not a 32-bit number")
    players, expansion = _integers(lines[2], 2, "players and expansion", where)
    _check_setup(players, expansion, where)
    if any(_integers(lines[3], 3, "flags", where)):
        raise BadSave(f"{where}: an advanced game or one with expansion settings ({lines[3]}); not known here")
    if lines[4] != "none":
        raise BadSave(f"{where}: a campaign game ({lines[4][:40]}); not known here")
    return Save(seed, _read_logs([line for line in lines[5:] if line], players, where), where)


def _read_logs(lines: list[str], players: int, where: str) -> list[list[int]]:
    """One log per line, or all of them wrapped as they come."""
    if len(lines) == players:
        for seat, line in enumerate(lines):
            length, *log = _integers(line, None, f"player {seat}: log", where)
            if length != len(log):
                raise BadSave(f"{where}: player {seat}: the log should have {length} numbers, but has {len(log)}")
    numbers = _integers(" ".join(lines), None, "logs", where)
    logs = []
    for seat in range(players):
        if not numbers:
            raise BadSave(f"{where}: player {seat}: the log is missing")
        length, numbers = numbers[0], numbers[1:]
        if length < 0 or length > len(numbers):
            raise BadSave(f"{where}: player {seat}: the log should have {length} numbers, but {len(numbers)} follow")
        logs.append(numbers[:length])
        numbers = numbers[length:]
        _check_log(logs[-1], seat, where)
    if numbers:
        raise BadSave(f"{where}: {len(numbers)} numbers too many after the last log")
    return logs


def _integers(line: str, count: int | None, what: str, where: str) -> list[int]:
    words = line.split()
    for word in words:
        if not word.lstrip("-").isdecimal() or len(word) > 11:
            raise BadSave(f"{where}: {what}: {word[:40]!r} is not a number that can be here")
    if count is not None and len(words) != count:
        raise BadSave(f"{where}: {what}: {count} numbers expected, not {len(words)}")
    return [int(word) for word in words]


def read_xml(data: bytes, where: str) -> Save:
    """The XML export: the end of the game in words, and the plain format inside <Save>."""
    try:
        root: Element = fromstring(data, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    except DefusedXmlException as error:
        raise BadSave(f"{where}: XML with declarations that a saved game has no use for: {error}") from None
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        raise BadSave(f"{where}: broken XML: {error}") from None
    if root.tag != "RftgExport":
        raise BadSave(f"{where}: not an export of the game: it starts with <{root.tag[:40]}>")
    save = root.find("Save")
    if save is None or not (save.text or "").strip():
        raise BadSave(f"{where}: the export has no <Save> with the choices of the game")
    body = _read_body((save.text or "").split("\n"), where)
    return Save(body.seed, body.logs, where, _expected_in(root, where))


def _number(parent: Element | None, tag: str, where: str) -> int | None:
    text = parent.findtext(tag) if parent is not None else None
    if text is None:
        return None
    return _integers(text, 1, f"<{tag}>", where)[0]


def _expected_in(root: Element, where: str) -> Expected:
    status = root.find("Status")
    players = []
    for player in sorted(root.findall("Player"), key=lambda p: p.get("id", "")):
        tableau, hand = player.find("Tableau"), player.find("Hand")
        cards = [] if tableau is None else tableau.findall("Card")
        held = [] if hand is None else hand.findall("Card")
        count = None if hand is None else hand.get("count")
        players.append(
            ExpectedPlayer(
                chips=_number(player, "Chips", where),
                score=_number(player, "Score", where),
                winner=player.get("winner") == "yes",
                tableau=None if tableau is None else [card.text or "" for card in cards],
                goods=None if tableau is None else [card.text or "" for card in cards if card.get("good") == "yes"],
                hand=[card.text or "" for card in held] if held else None,
                hand_count=None if count is None else _integers(count, 1, "<Hand>", where)[0],
            )
        )
    return Expected(
        round=_number(status, "Round", where),
        pool=_number(status, "Pool", where),
        deck=_number(status, "Deck", where),
        discard=_number(status, "Discard", where),
        players=players,
        by_turn=True,
    )


def body_text(save: Save) -> str:
    lines = [VERSION, str(save.seed), f"{save.seats} 0", "0 0 0", "none"]
    lines += [" ".join(map(str, [len(log), *log])) for log in save.logs]
    return "\n".join(lines) + "\n"


def plain_text(save: Save) -> str:
    """The game in the plain format."""
    return f"{MAGIC}\n{body_text(save)}"


@dataclass(frozen=True)
class ExportCard:
    id: int
    name: str
    good: bool = False


@dataclass(frozen=True)
class ExportPlayer:
    """A player of an export, in turn order."""

    name: str
    chips: int
    score: int
    winner: bool
    tableau: list[ExportCard]
    hand: list[ExportCard]
    exporting: bool
    """Whose hand is shown; everybody else's is a number."""


def xml_text(save: Save, status: dict[str, int], players: list[ExportPlayer]) -> str:
    """The game as an export."""
    own = next(player for player in players if player.exporting)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<RftgExport>",
        f"  <Version>{VERSION}</Version>",
        "  <Server>local</Server>",
        f"  <PlayerName>{escape(own.name)}</PlayerName>",
        "  <Setup>",
        f"    <Players>{save.seats}</Players>",
        '    <Expansion id="0">Base game only</Expansion>',
        "  </Setup>",
        "  <Status>",
        "    <Message></Message>",
        f"    <Round>{status['round']}</Round>",
        "    <GameOver />",
        "    <Phases>",
        "    </Phases>",
        *(f"    <{tag}>{status[tag.lower()]}</{tag}>" for tag in ("Deck", "Discard", "Pool")),
        "  </Status>",
    ]
    for turn, player in sorted(enumerate(players), key=lambda pair: pair[1].exporting):
        winner = ' winner="yes"' if player.winner else ""
        lines += [
            f'  <Player id="{turn}" ai="yes"{winner}>',
            f"    <Name>{escape(player.name)}</Name>",
            "    <Actions>",
            "    </Actions>",
            f"    <Chips>{player.chips}</Chips>",
            f"    <Score>{player.score}</Score>",
            f'    <Tableau count="{len(player.tableau)}">',
            *map(_card_line, player.tableau),
            "    </Tableau>",
            f'    <Hand count="{len(player.hand)}">',
            *(map(_card_line, player.hand) if player.exporting else ()),
            "    </Hand>",
            "  </Player>",
        ]
    return "\n".join([*lines, "  <Save>", f"<![CDATA[\n{body_text(save)}]]>", "  </Save>", "</RftgExport>", ""])


def _card_line(card: ExportCard) -> str:
    good = ' good="yes" num_goods="1"' if card.good else ""
    return f"      <Card id={quoteattr(str(card.id))}{good}>{escape(card.name)}</Card>"
