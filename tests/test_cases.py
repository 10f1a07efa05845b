"""Cases for any game: case files, retrieval among points, and the agent `cases`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, read_records
from boardwright.cases.agent import Cases
from boardwright.cases.building import Keep, add_game, case_file_of
from boardwright.cases.data_set import load_data_set
from boardwright.cases.file import CaseFile, read_case_file, shipped_files
from boardwright.cases.memory import expectation_codes, remember
from boardwright.cases.memory_search import MemorySearch
from boardwright.cases.outlook import outlooks, tilted
from boardwright.cbr.points import nearest_points
from boardwright.cli import main
from boardwright.errors import BadRecord, BadSpec, UnknownName

TAKE_THREE = Path(__file__).parent / "games" / "take_three.py"
GAMES = 6


def run(*arguments: object) -> object:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as ended:
        main(list(map(str, arguments)))
    return ended.value.code


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[GameRecord]:
    """Games of one agent with another name in each seat, so that records tell them apart."""
    match = Match("connect_four", ("uct:iterations=50", "random"), 5)
    return [match.play(index) for index in range(GAMES)]


@pytest.fixture
def file(connect_four: bw.Game, records: list[GameRecord], tmp_path: Path) -> Path:
    out = tmp_path / "four.cases"
    case_file_of(connect_four, records, 2, Keep("uct:iterations=50"), "a test").write(out)
    return out


def test_points_are_found_as_by_comparing_all() -> None:
    random = np.random.default_rng(3)
    points = random.integers(0, 256, (8, 1500)).astype(np.uint8)
    points[:, 700:720] = points[:, :1]  # equals: the earlier are kept
    for here in (points[:, 0], *random.integers(0, 256, (5, 8)).astype(np.uint8)):
        for first, last in ((0, 1500), (3, 3), (0, 10), (690, 1201)):
            apart = np.square(points[:, first:last].astype(int) - here.astype(int)[:, None]).sum(0)
            nearest = np.argsort(apart, kind="stable")[:12]
            found = nearest_points(points, here.copy(), 12, first, last)
            assert found.positions.tolist() == (first + nearest).tolist()
            np.testing.assert_allclose(found.distances, np.sqrt(apart[nearest]))


def test_points_that_do_not_fit_are_refused() -> None:
    points = np.zeros((8, 10), np.uint8)
    for here, first, last in ((7, 0, 10), (8, 0, 11), (8, -1, 10), (8, 5, 4)):
        with pytest.raises(ValueError, match="do not fit"):
            nearest_points(points, np.zeros(here, np.uint8), 3, first, last)


def test_an_option_is_placed_by_what_is_expected_of_it_and_of_the_strongest_other() -> None:
    assert expectation_codes(np.array([0.64, 0.36, 0.0])).tolist() == [[200, 150], [150, 200], [0, 200]]


def test_a_file_holds_the_decisions_of_one_player(connect_four: bw.Game, records: list[GameRecord], file: Path) -> None:
    memory = remember(connect_four, read_case_file(file, connect_four))
    expected = [
        (game, state.observation(state.player), action)
        for game, record in enumerate(records)
        for state, action in record.replay()
        if action is not None and record.agents[state.player] != "random" and len(state.legal_actions()) > 1
    ]
    assert len(memory) == len(expected) > 5 * GAMES
    for case in (0, 7, len(memory) - 1):
        game, observation, action = expected[case]
        seen, _ = memory.situation(connect_four, case)
        assert (memory.game[case], memory.chosen[case]) == (game, action)
        assert bytes(seen) == bytes(observation)
        assert memory.result[case] == (1 + records[game].returns[observation.seat]) / 2
    for action in range(7):
        options = range(memory.first[action], memory.first[action + 1])
        assert sum(memory.taken[list(options)]) == (memory.chosen == action).sum()


def test_only_won_games_are_kept_where_that_is_wanted(connect_four: bw.Game, records: list[GameRecord]) -> None:
    won = case_file_of(connect_four, records, 2, Keep(wins=True), "")
    for one, record in zip(won.games, (record for record in records if max(record.returns) > 0), strict=True):
        assert one.imitated == tuple(result > 0 for result in record.returns)


def test_a_remembered_game_is_played_again(connect_four: bw.Game, records: list[GameRecord], tmp_path: Path) -> None:
    """With a single case at hand, what was done there is done again."""
    record = records[0]
    case_file_of(connect_four, [record], 2, Keep(), "").write(tmp_path / "one.cases")
    agent = Cases(connect_four, 0, case_base=str(tmp_path / "one.cases"), k=1, sharpness=0)
    state, action = next(iter(record.replay()))
    decision = agent.decide(state.observation(0))
    assert decision.action == action
    assert decision.cases[0].text == str(state.observation(0))
    assert decision.cases[0].picture.startswith("<svg")
    assert decision.cases[0].distance == pytest.approx(0, abs=2)


def test_reasons_count_the_situations_that_offered_an_option(connect_four: bw.Game, file: Path) -> None:
    """Where neither distances nor results weigh, the option that was taken most often is the best."""
    agent = Cases(connect_four, 0, case_base=str(file), k=5, sharpness=0, result_weight=0)
    decision = agent.decide(connect_four.new(seed=1).observation(0))
    assert decision.reasons[0].action == decision.action
    assert all(reason.note.endswith("of the 5 most similar situations that offered it") for reason in decision.reasons)
    assert sum(reason.weight or 0 for reason in decision.reasons) == pytest.approx(1)
    taken = [int(reason.note.split()[2]) for reason in decision.reasons]
    assert taken[0] == max(taken) > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: replace(file, game="kuhn_poker"), "are of 'kuhn_poker'"),
        (lambda file: replace(file, options={"size": 3}), "size"),
        (lambda file: replace(file, games=[_with_actions(file, [0, 0, 0, 0, 0, 0, 0])]), "action 7 is not legal"),
        (lambda file: replace(file, games=[_with_actions(file, [0, 0])]), "stops before the game ends"),
        (lambda file: replace(file, games=[_with_actions(file, [9])]), "not from 0 to 6"),
    ],
)
def test_damaged_files_are_refused(connect_four: bw.Game, file: Path, change: object, message: str) -> None:
    """Before compiled code sees anything of them."""
    assert callable(change)
    change(read_case_file(file, connect_four)).write(file)
    agent = Cases(connect_four, 0, case_base=str(file))
    with pytest.raises(BadRecord, match=message):
        agent.decide(connect_four.new(seed=1).observation(0))


def _with_actions(file: CaseFile, actions: list[int]) -> object:
    return file.games[0]._replace(game=file.games[0].game._replace(actions=actions))


def test_a_file_cut_off_or_of_another_kind_is_refused(connect_four: bw.Game, file: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.cases").write_bytes(file.read_bytes()[:-200])
    (tmp_path / "text.cases").write_text("cases")
    for name in ("cut.cases", "text.cases", "none.cases"):
        with pytest.raises(BadRecord):
            Cases(connect_four, 0, case_base=str(tmp_path / name)).check_seats(2)


def test_a_game_that_was_just_played_is_added(connect_four: bw.Game, records: list[GameRecord], tmp_path: Path) -> None:
    file = tmp_path / "mine.cases"
    won = next(record for record in records if max(record.returns) > 0)
    assert [add_game(file, connect_four, won, None), add_game(file, connect_four, won, 0)] == [1, 2]
    kept = [one.imitated for one in read_case_file(file, connect_four).games]
    assert kept == [tuple(result > 0 for result in won.returns), (True, False)]
    with pytest.raises(BadSpec, match="nobody has won"):
        add_game(file, connect_four, won.model_copy(update={"returns": [0.0, 0.0]}), None)


def test_built_from_the_command_line(
    tmp_path: Path, records: list[GameRecord], capsys: pytest.CaptureFixture[str]
) -> None:
    games, out = tmp_path / "games.jsonl", tmp_path / "four.cases"
    upset = records[0].model_copy(update={"returns": [-result for result in records[0].returns]})
    games.write_text("".join(record.line() for record in [*records, upset]))
    build: list[object] = ["cases", "build", "connect_four", "--out", out]
    won = sum(record.returns[record.agents.index("random")] > 0 for record in [*records, upset])
    assert 0 < won < GAMES
    run(*build, "--from-records", games, "--of", "random")
    assert f"{won} games with 2 seats" in capsys.readouterr().out
    run(*build, "--from-records", games, "--of", "uct:iterations=50", "--lost", "--initial", "2")
    assert "2 games with 2 seats" in capsys.readouterr().out
    assert run(*build, "--from-records", games, "--of", "somebody") == 1
    assert "somebody" in capsys.readouterr().err
    assert run(*build) == 1
    assert "--of SPEC" in capsys.readouterr().err


def test_an_empty_file_still_plays(connect_four: bw.Game, tmp_path: Path) -> None:
    out = tmp_path / "empty.cases"
    run("cases", "build", "connect_four", "--initial", "0", "--out", out)
    agent, state = Cases(connect_four, 0, case_base=str(out)), connect_four.new(seed=1)
    decision = agent.decide(state.observation(0))
    assert decision.action in state.legal_actions()
    assert decision.cases == ()


def test_a_game_without_a_network_gets_a_space_from_its_own_cases(tmp_path: Path) -> None:
    out, game = tmp_path / "three.cases", bw.game(str(TAKE_THREE))
    run("cases", "build", TAKE_THREE, "--of", "random", "--games", "30", "--out", out)
    assert len(read_records(out.with_name("three.cases.games.jsonl"))) == 30
    agent, state = Cases(game, 0, case_base=str(out)), game.new(seed=0)
    decision = agent.decide(state.observation(state.player))
    assert decision.action in state.legal_actions()
    assert agent.memory(2).file.network is not None


def test_a_data_set_is_split_by_game(connect_four: bw.Game, records: list[GameRecord], tmp_path: Path) -> None:
    out = tmp_path / "twelve.cases"
    case_file_of(connect_four, [*records, *records], 2, Keep(), "").write(out)
    train, test = load_data_set("connect_four", case_base=str(out))
    assert [len(part.file.games) for part in (train, test)] == [11, 1]
    assert train.features.shape == (len(train), len(train.feature_names))
    assert sorted(set(train.group.tolist())) == list(range(11))
    assert all(train.chosen[case] in train.options(case) for case in range(len(train)))
    tenth = records[9 - GAMES]
    assert test.chosen.tolist() == [
        action for state, action in tenth.replay() if action is not None and len(state.legal_actions()) > 1
    ]
    assert test.accuracy(lambda case: int(test.chosen[case])) == 1.0


@pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name in bw.games() for seats in shipped_files(bw.game(name))]
)
def test_shipped_files_are_of_this_version_of_their_games(name: str, seats: int) -> None:
    """Their first game can be played; the others are like it, and all are replayed when the agent plays."""
    game = bw.game(name)
    file = read_case_file(shipped_files(game)[seats], game)
    memory = remember(game, replace(file, games=file.games[:1]))
    assert len(memory) > 0
    assert file.seats == seats


def test_outlooks_see_wins_and_losses_at_once(connect_four: bw.Game) -> None:
    state = connect_four.new(seed=0)
    for column in (0, 6, 0, 6, 0, 5):  # X has three in the first column; O would have three in the last, after one more
        state.apply(column)
    observation = state.observation(0)
    assert outlooks(observation, [0, 1, 6], "returns").tolist() == [1.0, 0.5, 0.5]
    state.apply(6)
    state.apply(1)
    assert outlooks(state.observation(0), [1, 0], "returns").tolist() == [0.5, 1.0]
    state.apply(2)  # X wins the first column at the next move
    assert outlooks(state.observation(1), [0, 3], "returns").tolist() == [0.5, 0.0]


def test_what_winners_did_in_similar_situations_can_be_done_here() -> None:
    """Lords of War does not say what it asks: drawing a card is no advice to whoever has one to deploy."""
    state = bw.game("lords").new(seed=4)
    agent = Cases(state.game, 0, seed=1)
    for _ in range(12):
        observation = state.observation(state.player)
        agent.seat = state.player
        found = agent.won_cases(observation, 2)
        assert found
        assert "not possible" not in {case.means for case in found}
        state.apply(observation.legal_actions()[-1])


def test_an_evaluation_says_what_an_action_leads_to() -> None:
    game = bw.game("lords")
    observation = game.new(seed=3).observation(0)
    legal = observation.legal_actions()
    found = outlooks(observation, legal, "learned")
    assert ((found > 0) & (found < 1)).all()
    assert found.std() > 0
    assert tilted(np.full(len(legal), 1 / len(legal)), found, "learned").argmax() == found.argmax()


def test_with_outlooks_a_win_at_once_is_taken(connect_four: bw.Game, records: list[GameRecord], tmp_path: Path) -> None:
    case_file_of(connect_four, records, 2, Keep("uct:iterations=50"), "", outlook="returns").write(tmp_path / "o.cases")
    agent = Cases(connect_four, 0, case_base=str(tmp_path / "o.cases"))
    state = connect_four.new(seed=0)
    for column in (0, 6, 0, 5, 0, 6):
        state.apply(column)
    assert agent.decide(state.observation(0)).action == 0
    with pytest.raises(UnknownName, match="outlook"):
        case_file_of(connect_four, records, 2, Keep(), "", outlook="scores")


def test_a_remembered_search_is_played_where_its_situation_comes_back(
    connect_four: bw.Game, records: list[GameRecord], file: Path
) -> None:
    """Elsewhere the search decides: after a move that no case has seen, too."""
    agent = MemorySearch(connect_four, 0, case_base=str(file), search="random")
    record = next(record for record in records if record.agents[0] == "uct:iterations=50")
    recalled = [
        (agent.decide(state.observation(0)), action)
        for state, action in record.replay()
        if action is not None and state.player == 0 and len(state.legal_actions()) > 1
    ]
    assert all("searches of this situation" in decision.summary for decision, _ in recalled)
    assert sum(decision.action == action for decision, action in recalled) >= len(recalled) - 1, "the first varies"
    last, _ = recalled[-1]
    assert last.cases[0].distance == 0.0
    assert last.reasons[0].weight == 1.0
    state = connect_four.new(seed=1)
    for column in (6, 6, 6, 6, 0, 6):
        state.apply(column)
    assert "situation" not in agent.decide(state.observation(0)).summary


def test_a_search_with_a_memory_does_not_ask_itself(connect_four: bw.Game, file: Path) -> None:
    with pytest.raises(BadSpec, match="would ask itself"):
        MemorySearch(connect_four, 0, case_base=str(file), search="memorysearch")


def test_where_no_searches_are_remembered_the_message_says_how_to_give_some_to_this_agent() -> None:
    agent = MemorySearch(bw.game("lords"), 0, search="random")
    with pytest.raises(BadSpec, match=r"then memorysearch:case_base=X\.cases"):
        agent.network(2)
