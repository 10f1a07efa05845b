"""Connect Four: drop discs into seven columns; four in a row wins.

The tutorial game: docs/write-a-game.md walks through this file.
"""

from __future__ import annotations

import numpy as np

from boardwright.drawing import SEAT_COLOURS, WIDE, Drawing, Layout, fixed
from boardwright.kernel import (
    TERMINAL,
    Actions,
    FeatureLayout,
    Game,
    Learning,
    Metrics,
    Record,
    Returns,
    Rules,
    SparseFeatures,
    Text,
    add_feature,
    record,
    rule,
)
from boardwright.kernel.contract import shipped_networks
from boardwright.kernel.guide import Guide, Step, Tip

ROWS, COLUMNS = 6, 7
EMPTY = 0  # a cell holds EMPTY, or 1 + the seat whose disc lies there
NOBODY = 0  # `winner` likewise
IN_A_ROW = 4  # wins
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

STATE = record(
    board=("i1", (ROWS, COLUMNS)),  # row 0 is the bottom
    height=("i1", COLUMNS),
    discs="i1",
    winner="i1",
)


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    pass  # an empty board is all zeros


@rule
def player(s: Record) -> int:
    if s.winner != NOBODY or s.discs == ROWS * COLUMNS:
        return TERMINAL
    return s.discs % 2


@rule
def legal(s: Record, out: Actions) -> int:
    n = 0
    for column in range(COLUMNS):
        if s.height[column] < ROWS:
            out[n] = column
            n += 1
    return n


@rule
def apply(s: Record, column: int) -> None:
    disc = 1 + s.discs % 2
    row = s.height[column]
    s.board[row, column] = disc
    s.height[column] += 1
    s.discs += 1
    for down, right in DIRECTIONS:
        if 1 + run(s, row, column, down, right) + run(s, row, column, -down, -right) >= IN_A_ROW:
            s.winner = disc


@rule
def run(s: Record, row: int, column: int, down: int, right: int) -> int:
    """How many discs of the same colour follow the one at (row, column) in a direction."""
    disc = s.board[row, column]
    length = 0
    row, column = row + down, column + right
    while 0 <= row < ROWS and 0 <= column < COLUMNS and s.board[row, column] == disc:
        length += 1
        row, column = row + down, column + right
    return length


@rule
def returns(s: Record, out: Returns) -> None:
    out[0] = out[1] = 0.0
    if s.winner != NOBODY:
        out[s.winner - 1] = 1.0
        out[2 - s.winner] = -1.0


@rule
def piece_counts(s: Record, out: Actions) -> None:
    """Discs on the board and still to play: always 42."""
    out[0] = ROWS * COLUMNS - s.discs
    for row in range(ROWS):
        for column in range(COLUMNS):
            out[0] += s.board[row, column] != EMPTY


layout = FeatureLayout()
CELLS = [f"column {column + 1}, row {row + 1}" for row in range(ROWS) for column in range(COLUMNS)]
STEP = ROWS + 1  # from a column to the next in a set of cells as bits; the bit above a column stays empty
ASLANT = (STEP - 1, STEP, STEP + 1)  # down, straight and up to the next column
LINES = [
    (down, right, column, row)
    for down, right in DIRECTIONS
    for column in range(COLUMNS)
    for row in range(ROWS)
    if 0 <= column + (IN_A_ROW - 1) * right < COLUMNS and 0 <= row + (IN_A_ROW - 1) * down < ROWS
]
"""The 69 sets of cells that win: a direction and the first cell."""
LINE_CELLS = np.array(
    [
        sum(1 << ((column + i * right) * STEP + row + i * down) for i in range(IN_A_ROW))
        for down, right, column, row in LINES
    ]
)
"""The cells of each line, as bits."""
LINE_PLACE = np.array(
    [DIRECTIONS.index((down, right)) * len(CELLS) + row * COLUMNS + column for down, right, column, row in LINES]
)
"""The place of each line in four planes, one per direction."""
OWN, OTHERS = layout.block("own disc", CELLS), layout.block("other's disc", CELLS)
OWN_THREAT = layout.block("own threat, moving first", CELLS)
OTHERS_THREAT = layout.block("other's threat, moving second", CELLS)
layout.block("own threat, moving second", CELLS)
layout.block("other's threat, moving first", CELLS)
SECOND = 2 * len(CELLS)  # from the threats of a seat that moves first to those of one that moves second
FIRST = layout.block("moves first", CELLS)  # of this plane the first cell alone
OWN_PAIR, OTHERS_PAIR = (
    min([layout.block(f"{whose} pair, {down} up and {right} right", CELLS) for down, right in DIRECTIONS])
    for whose in ("own", "other's")
)


def mirrored_feature(feature: int) -> int:
    """What a feature becomes when left and right change sides."""
    plane, cell = divmod(feature, len(CELLS))
    row, column = divmod(cell, COLUMNS)
    if feature < OWN_PAIR:
        return feature if plane == FIRST // len(CELLS) else plane * len(CELLS) + row * COLUMNS + COLUMNS - 1 - column
    down, right = DIRECTIONS[(feature - OWN_PAIR) // len(CELLS) % len(DIRECTIONS)]
    if (down, right) == (0, 1):  # begins at its other end
        return plane * len(CELLS) + row * COLUMNS + (COLUMNS - IN_A_ROW - column) % COLUMNS
    other = DIRECTIONS.index((down, -right)) - DIRECTIONS.index((down, right))
    return (plane + other) * len(CELLS) + row * COLUMNS + COLUMNS - 1 - column


@rule
def features(s: Record, seat: int, sparse: SparseFeatures) -> None:
    """Planes: the seat's own discs and the other's; the empty cells in which a disc would win for either, which count
    differently for the seat that moves first; the lines with two discs of one seat and none of the other."""
    own = others = 0
    for column in range(COLUMNS):
        for row in range(s.height[column]):
            is_own = s.board[row, column] == 1 + seat
            add_feature(sparse, (OWN if is_own else OTHERS) + row * COLUMNS + column, 1.0)
            bit = 1 << (column * STEP + row)
            own, others = own | (bit if is_own else 0), others | (0 if is_own else bit)
    if seat == 0:
        add_feature(sparse, FIRST, 1.0)
    for line in range(LINE_CELLS.size):
        mine, theirs = own & LINE_CELLS[line], others & LINE_CELLS[line]
        if theirs == 0:
            if has_two(mine):
                add_feature(sparse, OWN_PAIR + LINE_PLACE[line], 1.0)
        elif mine == 0 and has_two(theirs):
            add_feature(sparse, OTHERS_PAIR + LINE_PLACE[line], 1.0)
    own, others = threats(own), threats(others)
    role = seat * SECOND
    if own | others:
        for column in range(COLUMNS):
            for row in range(s.height[column], ROWS):
                place, cell = column * STEP + row, row * COLUMNS + column
                if own >> place & 1:
                    add_feature(sparse, OWN_THREAT + role + cell, 1.0)
                if others >> place & 1:
                    add_feature(sparse, OTHERS_THREAT + role + cell, 1.0)


@rule
def has_two(bits: int) -> bool:
    """Whether exactly two bits are set."""
    rest = bits & (bits - 1)
    return rest != 0 and rest & (rest - 1) == 0


@rule
def threats(discs: int) -> int:
    """The cells in which a further disc would make four in a row, as bits; those that are taken among them."""
    found = discs << 1 & discs << 2 & discs << 3
    for step in ASLANT:
        two_before, two_after = discs << step & discs << 2 * step, discs >> step & discs >> 2 * step
        found |= two_before & (discs << 3 * step | discs >> step) | two_after & (discs << step | discs >> 3 * step)
    return found


def describe_action(s: Record, column: int) -> str:
    return f"column {column + 1}"


def action_number(s: Record, column: int) -> int:
    return column + 1


def action_group(s: Record, column: int) -> tuple[str, str]:
    return "column", f"column {column + 1}"


def show_state(s: Record, seat: int | None) -> str:
    rows = [" ".join(".XO"[cell] for cell in row) for row in reversed(s.board.tolist())]
    return "\n".join([*rows, " ".join(str(1 + column) for column in range(COLUMNS))])


LARGEST_CELL = 74  # pixels
DISCS = ("#e9e6da", *SEAT_COLOURS[:2])
FRAME, EDGE = "#46536b", "#2c3648"


def draw_state(s: Record, seat: int | None, layout: Layout = WIDE) -> str:
    """The board; a column is clicked anywhere in it. Discs also carry their letter, for those who see no colours."""
    cell = min(LARGEST_CELL, (layout.width - 32) / COLUMNS)
    drawing = Drawing(COLUMNS * cell + 32, ROWS * cell + 62)
    drawing.rect(8, 34, COLUMNS * cell + 16, ROWS * cell + 16, fill=FRAME, corner=16)
    board = s.board.tolist()
    for column in range(COLUMNS):
        draw_column(drawing, tuple(row[column] for row in board), column, cell)
    return drawing.svg("Connect Four")


@fixed
def draw_column(drawing: Drawing, discs: tuple[int, ...], column: int, cell: float) -> None:
    with drawing.group(16 + column * cell, 42, actions=[column]):
        drawing.rect(0, 0, cell, ROWS * cell, fill=FRAME)
        for row, disc in enumerate(discs):
            draw_cell(drawing, disc, row, column, cell)
    drawing.text(16 + (column + 0.5) * cell, 24, str(column + 1), size=16, anchor="middle")


def draw_cell(drawing: Drawing, disc: int, row: int, column: int, cell: float) -> None:
    x, y = cell / 2, (ROWS - row - 0.5) * cell
    if disc == EMPTY:
        drawing.circle(x, y, 0.41 * cell, fill=DISCS[EMPTY], edge=EDGE, line=2)
        return
    with drawing.group(x, y, key=f"{row} {column} {disc}"):
        ink, size = ("", "#ffffff", "#1d2433")[disc], 0.35 * cell
        drawing.circle(0, 0, 0.41 * cell, fill=DISCS[disc], edge=EDGE, line=2)
        drawing.text(0, 0.35 * size, " XO"[disc], size=size, fill=ink, anchor="middle", bold=True)


GUIDE = Guide(
    aim="Be the first to have four discs in a line: across, upwards or aslant.",
    steps=(
        Step("Drop a disc", "In turn, everybody drops a disc into a column that is not full; it falls to the bottom."),
        Step("Four in a line win", "If the board is full and nobody has four, the game is a draw."),
    ),
    tips=(
        Tip("middle", "The middle column is part of most lines: begin there.", lambda s, seat: bool(s.discs <= 1)),
        Tip("threats", "Look at the other's lines of three before you drop.", lambda s, seat: bool(s.discs > 4)),
    ),
)

game = Game(
    name="connect_four",
    title="Connect Four",
    state=STATE,
    seats=(2,),
    num_actions=COLUMNS,
    max_utility_sum=0.0,
    constant_sum=True,
    max_game_length=ROWS * COLUMNS,
    levels={  # in even steps on the ladder: docs/strength.md
        "beginner": "uct:iterations=20",
        "easy": "uct:iterations=40",
        "middling": "uct:iterations=80",
        "strong": "uct:iterations=160",
        "expert": "uct:iterations=320",
        "master": "uct:iterations=2000",
        "grandmaster": "nettree:simulations=64",
    },
    positions="boardwright.games.connect_four_positions:positions",
    rules=Rules(
        setup=setup,
        player=player,
        legal=legal,
        apply=apply,
        returns=returns,
        piece_counts=piece_counts,
        num_piece_kinds=1,
    ),
    learning=Learning(
        features=features,
        feature_names=layout.names,
        symmetries=(
            (
                tuple(map(mirrored_feature, range(len(layout.names)))),
                tuple(range(COLUMNS - 1, -1, -1)),
            ),
        ),
        feature_shape=(len(layout.names) // len(CELLS), ROWS, COLUMNS),
        networks=shipped_networks(__file__),
    ),
    text=Text(
        describe_action=describe_action,
        action_number=action_number,
        show_state=show_state,
        draw_state=draw_state,
        seat_names=("X", "O"),
        guide=GUIDE,
    ),
    metrics=Metrics(action_group=action_group),
)
