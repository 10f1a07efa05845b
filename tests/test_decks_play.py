"""Predicted decks in play: a duel with constructed decks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardwright.arena.match import Match
from boardwright.arena.runner import run_match
from boardwright.conformance import CHECKS
from boardwright.decks import Deck
from boardwright.kernel import Observation
from boardwright.kernel.records import plain_record
from boardwright.registry import load_game, make_agent

FILE = str(Path(__file__).parent / "games" / "deck_duel.py")
LORDS = str(Path(__file__).parent / "games" / "lords_pool.py")
KNOWN = str(Path(__file__).parent / "games" / "lords_pool_known.py")


def position_after(moves: int, seed: int = 3) -> Any:
    state = load_game(FILE).new(seed=seed)
    for _ in range(moves):
        state.apply(state.legal_actions()[0])
    return state


def whole_deck(state: Any, seat: int) -> np.ndarray:
    s = state.record
    chosen = np.bincount([s.choice], minlength=9) if seat == 0 and s.choice >= 0 else np.zeros(9, np.int64)
    return np.asarray(s.pile[seat]) + np.asarray(s.hand[seat]) + np.asarray(s.played[seat]) + chosen


@pytest.mark.parametrize("promise", CHECKS)
def test_the_duel_keeps_the_contract(promise: str) -> None:
    CHECKS[promise](load_game(FILE), 5, 1)


@pytest.mark.parametrize("moves", [0, 1, 6, 7])
def test_determinizations_draw_from_the_candidates(moves: int) -> None:
    state = position_after(moves)
    observation = state.observation(state.player)
    agent = make_agent("predicted:candidates=4", load_game(FILE), observation.seat, seed=1)
    informed = agent.informed(observation)
    candidates = {np.asarray(deck).tobytes() for deck in informed.record.believed[:4]}
    drawn = set()
    for seed in range(30):
        deck = whole_deck(informed.determinize(seed=seed), 1 - observation.seat)
        assert deck.sum() == 12
        drawn.add(deck.astype(np.int8).tobytes())
    assert drawn <= candidates
    assert len(drawn) > 1


def test_without_candidates_decks_are_determinized_uniformly() -> None:
    observation = position_after(0).observation(0)
    decks = np.array([whole_deck(observation.determinize(seed=seed), 1) for seed in range(400)])
    assert abs(decks[:, :3].sum(1).mean() - 4) < 0.3
    assert decks.max() <= 3


def test_candidates_lean_the_way_the_seen_cards_do() -> None:
    game = load_game(FILE)
    memory = position_after(0).observation(0).memory.copy()
    plain_record(memory, game.state).played[1] = [2, 1, 1, 0, 0, 0, 0, 0, 0]  # rocks only
    agent = make_agent("predicted", game, 0, seed=1)
    decks = np.asarray(agent.informed(Observation(game, memory, 0)).record.believed[:32])
    assert decks[:, :3].sum(1).mean() > 7, "uniformly it would be 4 and a third of the other 8"


def lords_position(moves: int, seed: int) -> Any:
    random, state = np.random.default_rng(seed), load_game(LORDS).new(seed=seed, armies="elf,dwarf")
    for _ in range(moves):
        state.apply(int(random.choice(state.legal_actions())))
    return state


@pytest.mark.slow
@pytest.mark.parametrize("promise", CHECKS)
def test_lords_of_war_with_built_armies_keeps_the_contract(promise: str) -> None:
    CHECKS[promise](load_game(LORDS), 3, 1)


@pytest.mark.slow
def test_armies_are_legal_real_and_believed_ones_and_those_drawn_uniformly() -> None:
    game = load_game(LORDS)
    module = sys.modules[type(make_agent("predicted", game, 0, seed=1)).__module__]
    for seed in range(5):
        state = lords_position(20, seed)
        observation = state.observation(state.player)
        other = 1 - observation.seat
        name = ("elf", "dwarf")[other]
        agent = make_agent("predicted:candidates=4", game, observation.seat, seed=seed)
        believed = np.asarray(agent.informed(observation).record.believed[:4])
        seen = np.array([module.seen_cards(observation.record, other, kind) for kind in range(module.KINDS)])
        uniform = observation.determinize(seed=seed).record.army[other]
        assert len({army.tobytes() for army in believed}) > 1
        for army in (state.record.army[other], uniform, *believed):
            assert (np.asarray(army) >= seen).all()
            assert module.ARMY_DECKS.construction.problems(Deck(name, module.chosen_cards(name, army))) == []


@pytest.mark.slow
def test_who_knows_the_army_searches_with_it_and_others_with_any() -> None:
    game = load_game(KNOWN)
    state = game.new(seed=4, armies="elf,dwarf")
    observation = state.observation(0)
    true = np.asarray(state.record.army[1])
    knowing = make_agent("knowing", game, 0, seed=1).informed(observation)
    assert all((knowing.determinize(seed=seed).record.army[1] == true).all() for seed in range(5))
    assert not all((observation.determinize(seed=seed).record.army[1] == true).all() for seed in range(5))


@pytest.mark.slow
def test_predicted_decks_beat_uniform_ones(tmp_path: Path) -> None:
    match = Match(FILE, ("predicted:iterations=200", "ismcts:iterations=200"), 5)
    outcome = run_match(match, 1000, file=tmp_path / "games.jsonl")
    predicted, uniform = outcome.standings.entrants
    assert predicted.wins > uniform.wins
