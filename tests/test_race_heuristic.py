"""The heuristic player of race."""

from __future__ import annotations

import boardwright as bw


def play(seed: int, specs: list[str], **options: str) -> bw.State:
    game = bw.game("race")
    agents = [bw.agent(spec, game, seat, seed=seed) for seat, spec in enumerate(specs)]
    state = game.new(seed=seed, seats=len(specs), **options)
    while not state.is_terminal:
        state.apply(agents[state.player].decide(state.observation(state.player)).action)
    return state


def test_the_heuristic_beats_random() -> None:
    """It wins more than 99 games of 100; 27 or fewer of 30 would happen less than once in 1,000 runs."""
    won = sum(play(seed, ["heuristic", "random"]).returns[0] for seed in range(15))
    won += sum(play(seed, ["random", "heuristic"]).returns[1] for seed in range(15))
    assert won > 27


def test_the_heuristic_plays_every_variant_to_the_end() -> None:
    for seats in (3, 4):
        assert play(1, ["heuristic"] * seats).is_terminal
    assert play(1, ["heuristic", "heuristic"], generator="keldon").is_terminal


def test_search_plays_with_the_heuristic_in_its_playouts() -> None:
    assert play(1, ["ismcts:iterations=20,playout=heuristic", "ismcts:iterations=20"]).is_terminal
