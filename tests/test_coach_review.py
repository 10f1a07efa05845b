"""Reviews: decisions judged from what a seat knew, losses with errors, luck that adds up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.cases.file import shipped_files
from boardwright.cli import main
from boardwright.coach.analysis import POINT, Analysis, Budget, analyse
from boardwright.coach.evaluators import Evaluator, Values, evaluator_spec, make_evaluator, needs
from boardwright.coach.luck import account_of
from boardwright.coach.narration import Narration, templates
from boardwright.coach.review import accuracy_of, review
from boardwright.errors import BadRecord, BadSpec
from boardwright.kernel import Game, Observation
from boardwright.kernel.entries import RULES
from boardwright.kernel.ready import make_ready

CASE_GAMES = [game for game in map(bw.game, bw.games()) if shipped_files(game)]
SMALL = Budget(selection=6, least=6, most=12)


def analysis(value: float, loss: float, error: float = 0.01, better: int | None = 1) -> Analysis:
    return Analysis(0, better, value, 0.02, loss, error, 64, ())


@pytest.fixture(scope="module")
def race_game() -> GameRecord:
    match = Match("race", ("heuristic", "random"), seed=2)
    make_ready(match.needs())
    return match.play(0)


def test_nothing_is_a_mistake_whose_interval_contains_zero() -> None:
    assert analysis(0.5, 0.10, 0.03).is_mistake
    assert not analysis(0.5, 0.10, 0.04).is_mistake
    assert not analysis(0.5, 0.009, 0.0).is_mistake, "less than a point is no mistake, however exactly it is known"
    assert not analysis(0.5, 0.0, 0.0, better=None).is_mistake


def test_accuracy_falls_with_the_loss_and_counts_proven_losses_alone() -> None:
    assert accuracy_of(0.0) == pytest.approx(100.0, abs=0.01)
    assert [accuracy_of(loss) for loss in (0.0, 0.1, 0.5)] == sorted(map(accuracy_of, (0.0, 0.1, 0.5)), reverse=True)
    assert analysis(0.5, 0.10, 0.04).proven_loss == 0.0


def test_the_account_of_luck_adds_up() -> None:
    own = [(1, analysis(0.55, 0.05)), (4, analysis(0.3, 0.2)), (9, analysis(0.7, -0.01))]
    other = [(2, analysis(0.4, 0.1)), (6, analysis(0.5, 0.0, 0.0, None))]
    for others in (None, other):
        account = account_of(own, others, 0.5, 1.0, 12)
        given = account.given or 0.0
        assert account.start + account.luck + given - account.lost == pytest.approx(account.result)
        assert account.result - account.luck == pytest.approx(account.start + given - account.lost)
    assert account.swings[0].change == pytest.approx(0.55 + 0.05 - 0.5)
    assert account.luck_error == pytest.approx(math.sqrt(4) * 0.01)


class Lottery(Evaluator):
    """All options are worth the same, with a lot of noise."""

    def __init__(self) -> None:
        super().__init__("lottery", bw.game("connect_four"), 2)

    def values(self, observation: Observation, actions: Sequence[int], seeds: Sequence[int]) -> Values:
        return np.array([np.random.default_rng(seed).uniform(size=len(actions)) for seed in seeds])


def test_the_best_of_many_equal_options_gains_nothing_by_its_luck() -> None:
    """The better option is selected in some determinizations, and its lead measured in others."""
    game = bw.game("connect_four")
    observation = game.new(seed=0).observation(0)
    found = [analyse(Lottery(), observation, 3, Budget(4, 32, 32), seed=seed) for seed in range(200)]
    losses = [one.loss for one in found if one.better is not None]
    assert len(losses) > 150
    assert abs(np.mean(losses)) < 3 * np.std(losses) / math.sqrt(len(losses))
    assert np.mean([one.options[0].value for one in found]) > 0.6, "which the first ones alone would not have shown"


def test_a_win_that_was_left_is_a_mistake() -> None:
    game = bw.game("connect_four")
    state = game.new(seed=0)
    for column in (3, 0, 3, 0, 3, 0):
        state.apply(column)
    evaluator = make_evaluator(evaluator_spec(game, 2), game, 2)
    make_ready(needs(evaluator))
    observation = state.observation(0)
    wrong, right = (analyse(evaluator, observation, column, evaluator.budget) for column in (6, 3))
    assert (wrong.better, wrong.is_mistake) == (3, True)
    assert wrong.loss > 10 * POINT
    assert (right.better, right.value, right.is_mistake) == (None, 1.0, False)


def test_a_decision_is_judged_from_what_the_seat_knew(race_game: GameRecord) -> None:
    """What the seat cannot see is rearranged; the analysis stays what it was."""
    game = bw.game("race")
    evaluator = make_evaluator(evaluator_spec(game, 2), game, 2)
    make_ready(needs(evaluator))
    scramble = game.information.scramble
    assert scramble is not None
    looked_at = 0
    for state, action in race_game.replay():
        if action is None or len(state.legal_actions()) < 2 or looked_at == 6:
            continue
        other = state.copy()
        scramble(other.record, state.player, np.random.default_rng(looked_at))
        seen = [analyse(evaluator, one.observation(state.player), action, SMALL) for one in (state, other)]
        assert seen[0] == seen[1]
        looked_at += 1
    assert looked_at == 6


def test_a_review_that_was_stopped_goes_on(race_game: GameRecord, tmp_path: Path) -> None:
    def stop_early(done: int, total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review(race_game, budget=SMALL, seats=[0], store=tmp_path, progress=stop_early)
    seen: list[int] = []
    again = review(race_game, budget=SMALL, seats=[0], store=tmp_path, progress=lambda done, _: seen.append(done))
    assert seen[0] == 4, "what was judged is not judged again"
    whole = review(race_game, budget=SMALL, seats=[0], jobs=2)
    assert again == whole
    (part,) = whole.seats
    assert len(part.decisions) == seen[-1] > 10
    assert part.account.start + part.account.luck - part.account.lost == pytest.approx(part.account.result)
    for decision in part.mattered:
        assert decision.sentences[0].startswith(decision.text[:1].upper())


def test_a_review_from_python_is_plain_data_too() -> None:
    match = Match("connect_four", ("random", "random"), seed=1)
    make_ready(match.needs())
    found = bw.review(match.play(0), seat=2, agent="nettree:simulations=8")
    assert [part.seat for part in found.seats] == [1]
    data = found.to_dict()
    assert data["judged_by"] == "nettree:simulations=8"
    assert {"loss", "standard_error", "better", "options", "phase", "kind"} <= set(data["seats"][0]["decisions"][0])
    assert "accuracy" in str(found)


def test_every_game_has_sentences() -> None:
    names = set(templates(""))
    for game in bw.games():
        assert set(templates(game)) == names


@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in CASE_GAMES for seats in shipped_files(game)])
def test_two_cases_of_won_games_are_named_wherever_there_is_a_case_file(game: Game, seats: int) -> None:
    """Most files have games of their losers, too; those are left out."""
    state = game.new(seed=1, seats=seats)
    observation = state.observation(state.player)
    narration = Narration(make_evaluator(evaluator_spec(game, seats), game, seats))
    make_ready(game.entries.code(RULES))
    assert [sentence.count("returned +1.00) the winner chose") for sentence in narration._cases(observation)] == [1, 1]
    narration.close()


def test_the_strongest_agent_judges_with_its_own_evaluation() -> None:
    assert evaluator_spec(bw.game("lords"), 2) == "ismcts:evaluation=learned,plies=0,iterations=200"
    assert evaluator_spec(bw.game("race"), 2) == "netsearch:turns=2,weights=large"


def test_what_cannot_be_reviewed_is_said(
    race_game: GameRecord, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadSpec, match="there is no seat 3 in that game; it has seats 1 to 2"):
        review(race_game, seats=[2])
    with pytest.raises(BadSpec, match="human is you; somebody else must judge"):
        review(race_game, agent="human")
    older = race_game.model_copy(update={"scores": [0.0, 0.0]})
    with pytest.raises(BadRecord, match="the rules may have changed"):
        review(older)
    running = tmp_path / "race-seed1.unfinished.json"
    running.write_text("{}")
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text(race_game.line().replace("heuristic", "netsearch", 1))
    for file, said in ((running, "that game is not over"), (damaged, "its checksum does not fit")):
        with pytest.raises(SystemExit) as left:
            main(["review", str(file)])
        assert left.value.code == 1
        assert said in capsys.readouterr().err
