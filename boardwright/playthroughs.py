"""Golden playthroughs: a random game as plain text, position by position, compared on every test run.

A change to the rules shows up in review as a readable difference.
"""

from __future__ import annotations

from boardwright.kernel import TERMINAL, Game, rng

SEED = 20161
MOVES_IN_FULL = 40
"""After these only actions are written."""


def playthrough(game: Game, seats: int | None = None, seed: int = SEED) -> str:
    """A game of random moves in full: what can be done, what is done, what each seat sees."""
    state = game.new(seed=seed, seats=seats)
    rng_state = rng.generator(seed)
    lines = [f"game: {game.name}", f"seats: {state.seats}", f"seed: {seed}", ""]
    number = 0
    while not state.is_terminal:
        number += 1
        seat, legal = state.player, state.legal_actions()
        action = legal[rng.draw(rng_state) % len(legal)]
        if number <= MOVES_IN_FULL:
            lines += [f"# move {number}", str(state)]
            if game.has_hidden_information:
                lines += [f"to seat {seat}:", str(state.observation(seat))]
            lines.append(f"legal for seat {seat}: " + "; ".join(f"{a} {game.describe(state, a)}" for a in legal))
            lines += [f"played: {action} {game.describe(state, action)}", ""]
        else:
            lines.append(f"{number} seat {seat}: {game.describe(state, action)}")
        state.apply(action)
    assert state.player == TERMINAL
    lines += ["# the end", str(state), f"scores: {list(state.scores)}", f"returns: {list(state.returns)}"]
    return "\n".join(line.rstrip() for text in lines for line in text.split("\n")) + "\n"
