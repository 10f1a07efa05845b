"""The Python face: what DESIGN promises people who import boardwright."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright import registry
from boardwright.cli import main
from boardwright.errors import BadGame, BadRecord, BadSpec, BoardwrightError, IllegalAction, UnknownName
from boardwright.experiments import experiments, load_experiment
from boardwright.kernel import records
from tests.conftest import DICE_RACE, replaced


def test_a_game_is_played_as_in_the_example(kuhn: bw.Game) -> None:
    state = kuhn.new(seed=7)
    agents = [bw.agent(spec, kuhn, seat, seed=7) for seat, spec in enumerate(["ismcts:iterations=200", "random"])]
    while not state.is_terminal:
        observation = state.observation(state.player)
        assert observation.determinize(seed=1).observation(observation.seat) == observation
        state.apply(agents[state.player].decide(observation).action)
    assert sum(state.scores) == 0


def test_names_are_listed() -> None:
    assert {"connect_four", "kuhn_poker"} <= set(bw.games())
    assert {"random", "flat", "uct", "ismcts", "human"} <= set(bw.agents())
    assert "optimal" in bw.agents("kuhn_poker")
    assert "optimal" not in bw.agents("connect_four")


def test_listing_works_after_the_folders_of_the_same_name_were_imported() -> None:
    import boardwright.agents
    import boardwright.games

    assert callable(boardwright.games)
    assert bw.games() == registry.games()
    assert bw.agents() == registry.agents()


def test_illegal_action_names_itself_and_what_is_legal(connect_four: bw.Game) -> None:
    with pytest.raises(IllegalAction, match=r"action 9 is not legal now; legal: 0 \(column 1\), 1 \(column 2\)"):
        connect_four.new(seed=1).apply(9)


def test_finished_game_takes_no_action(kuhn: bw.Game) -> None:
    state = kuhn.new(seed=1)
    state.apply(0)
    state.apply(0)
    assert state.legal_actions() == []
    with pytest.raises(IllegalAction, match="the game is over"):
        state.apply(0)


def test_states_compare_by_content(connect_four: bw.Game) -> None:
    one, other = connect_four.new(seed=1), connect_four.new(seed=1)
    assert one == other
    one.apply(3)
    assert one != other
    assert bytes(one) != bytes(other)
    other.apply(3)
    assert one == other
    assert one.observation(0) != one.observation(1)
    assert hash(one.observation(0)) == hash(other.observation(0))


def test_state_as_plain_data(connect_four: bw.Game) -> None:
    state = connect_four.new(seed=1)
    state.apply(3)
    saved = state.to_dict()
    assert saved["game"] == "connect_four"
    assert saved["fields"]["height"] == [0, 0, 0, 1, 0, 0, 0]
    assert connect_four.from_dict(saved) == state


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda d: d.update(game="chess"), "its game is 'chess'"),
        (lambda d: d["fields"].pop("height"), "'height' is missing"),
        (lambda d: d["fields"].update(extra=1), "'extra' is missing or unknown"),
        (lambda d: d["fields"].update(height=[0]), "height has shape"),
        (lambda d: d["fields"].update(discs=1000), "1000"),
        (lambda d: d["fields"].update(discs=1.5), "discs does not fit int8"),
        (lambda d: d["fields"].update(discs="many"), "many"),
    ],
)
def test_damaged_plain_data_is_refused(connect_four: bw.Game, damage: Any, complaint: str) -> None:
    saved = connect_four.new(seed=1).to_dict()
    damage(saved)
    with pytest.raises(BadRecord, match=complaint):
        connect_four.from_dict(saved)


def test_bytes_of_another_length_are_refused(connect_four: bw.Game) -> None:
    with pytest.raises(BadRecord, match="bytes, not 3"):
        connect_four.load(b"abc")


def test_seat_cannot_ask_for_the_choices_of_another(kuhn: bw.Game) -> None:
    with pytest.raises(BoardwrightError, match="seat 1 cannot know what seat 0 may do"):
        kuhn.new(seed=1).observation(1).legal_actions()


def test_writing_to_a_view_changes_nothing(connect_four: bw.Game) -> None:
    observation = connect_four.new(seed=1).observation(0)
    before = bytes(observation)
    observation.record.discs = 9
    assert bytes(observation) == before


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: bw.game("conect_four"), "did you mean 'connect_four'"),
        (lambda: bw.game("connect_four").new(seats=3), "played with 2 seats, not 3"),
        (lambda: bw.game("connect_four").new(seed=-1), "a seed is a whole number"),
        (lambda: bw.game("connect_four").new(size=8), "unknown option 'size'"),
        (lambda: bw.game("connect_four").new(seed=1).observation(5), "there is no seat 5"),
        (lambda: bw.game("no/such/file.py"), "there is no file"),
    ],
)
def test_mistakes_are_named(call: Any, complaint: str) -> None:
    with pytest.raises(BoardwrightError, match=complaint):
        call()


def test_options_reach_the_rules(dice_race: bw.Game) -> None:
    assert dice_race.new(seed=1, rounds=9, bust="off").to_dict()["fields"]["rounds"] == 9
    assert dice_race.new(seed=1, bust=False).record.bust == 0
    assert dice_race.new(seed=1, seats=4).seats == 4
    with pytest.raises(BadSpec, match="option rounds is 1 to 50, not 51"):
        dice_race.new(rounds=51)
    with pytest.raises(BadSpec, match="option bust is true or false, not 'maybe'"):
        dice_race.new(bust="maybe")


def test_chance_to_come_is_hidden(dice_race: bw.Game) -> None:
    """A game with chance but no secrets hides just its generator."""
    state = dice_race.new(seed=1)
    assert dice_race.has_hidden_information
    assert not state.observation(0).record.rng.any()
    rolls = set()
    for seed in range(20):
        sample = state.observation(0).determinize(seed=seed)
        sample.apply(1)
        rolls.add(sample.record.points[0])
    assert len(rolls) > 2


def test_game_from_a_file_survives_pickling(dice_race: bw.Game) -> None:
    state = dice_race.new(seed=3, seats=3)
    assert pickle.loads(pickle.dumps(state)) == state


def test_files_that_hold_no_game_say_so(tmp_path: Path) -> None:
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1\n")
    with pytest.raises(BadSpec, match="exactly one Game object; it defines 0"):
        bw.game(str(empty))
    broken = tmp_path / "broken.py"
    broken.write_text("x = 1 / 0\n")
    with pytest.raises(BadSpec, match="ZeroDivisionError"):
        bw.game(str(broken))


class Entry:
    """An entry point of another package."""

    dist = None

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value = name, value

    def load(self) -> Any:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, list[Entry]]]:
    """What other packages register, by group."""
    found: dict[str, list[Entry]] = {
        f"boardwright.{kind}": [] for kind in ("games", "agents", "scripts", "experiments")
    }
    monkeypatch.setattr(registry, "entry_points", lambda group: found[group])
    registry._entry_points.cache_clear()
    registry.load_game.cache_clear()
    yield found
    monkeypatch.undo()
    registry._entry_points.cache_clear()
    registry.load_game.cache_clear()


def test_other_packages_register_through_entry_points(packages: dict[str, list[Entry]], dice_race: bw.Game) -> None:
    class Stubborn(bw.Agent):
        def decide(self, observation: bw.Observation) -> bw.Decision:
            return bw.Decision(observation.legal_actions()[-1])

    packages["boardwright.games"] += [Entry("their_game", dice_race), Entry("not_a_game", 7)]
    packages["boardwright.agents"] += [Entry("stubborn", Stubborn), Entry("lost", ImportError("no module named lost"))]
    assert "their_game" in bw.games()
    assert "stubborn" in bw.agents()
    game = bw.game("their_game")
    assert bw.agent("stubborn", game, 0).decide(game.new(seed=1).observation(0)).action == 1
    packages["boardwright.experiments"] += [Entry("mine", {"mine": load_experiment("toolbox")})]
    assert experiments()[-1] == "mine"
    assert load_experiment("mine").name == "toolbox"
    with pytest.raises(BadGame, match="is a int, not a Game"):
        bw.game("not_a_game")
    with pytest.raises(BoardwrightError, match="no module named lost"):
        bw.agent("lost", game, 0)


def test_games_and_agents_that_cannot_be_reached_are_named(
    packages: dict[str, list[Entry]], dice_race: bw.Game, pennies: bw.Game, capsys: pytest.CaptureFixture[str]
) -> None:
    packages["boardwright.games"] += [
        Entry("connect_four", dice_race),
        Entry("dice", dice_race),
        Entry("dice", dice_race),  # the same package, found twice
        Entry("dice", pennies),
    ]
    packages["boardwright.agents"] += [Entry("random", int)]
    for _ in range(2):
        game = bw.game("connect_four")
        bw.agent("random", game, 0)
    assert game.title == "Connect Four"
    assert bw.game("dice") is dice_race
    err = [line for line in capsys.readouterr().err.splitlines() if "compiling" not in line]
    assert [line.partition(" cannot be reached")[0] for line in err] == [
        "boardwright: 'connect_four' among the games of <game dice_race>",
        "boardwright: 'dice' among the games of <game pennies>",
        "boardwright: 'random' among the agents of <class 'int'>",
    ]
    assert err[0].endswith("Boardwright has one of that name; it needs another")


def test_replay_tells_saved_games_that_a_game_knows(
    packages: dict[str, list[Entry]], dice_race: bw.Game, capsys: pytest.CaptureFixture[str]
) -> None:
    class Scrolls:
        def knows(self, file: Path) -> bool:
            return file.read_text().startswith("scroll")

        def narrate(self, file: Path, number: int) -> list[str]:
            return [f"game {number} of {file.read_text().split()[1]}"]

    packages["boardwright.games"] += [
        Entry("broken", ImportError("lost")),
        Entry("scrolls", dataclasses.replace(dice_race, saved_games=Scrolls())),
    ]
    Path("old.scroll").write_text("scroll seventeen")
    Path("old.leaf").write_text("leaf seventeen")
    for file, code in (("old.scroll", 0), ("old.leaf", 1)):
        with pytest.raises(SystemExit) as leaving:
            main(["replay", file, "--game", "2"])
        assert leaving.value.code == code
    printed = capsys.readouterr()
    assert printed.out == "game 2 of seventeen\n"
    assert "old.leaf" in printed.err


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"seats": ()}, "must list seat counts"),
        ({"seats": (2, 3)}, "needs a field `seats`"),
        ({"num_actions": 0}, "`num_actions` must be at least 1"),
        ({"min_utility": 1.0, "max_utility": 0.0}, "`min_utility` .* must be below `max_utility`"),
        ({"rules.num_piece_kinds": 0}, "`rules.piece_counts` and `rules.num_piece_kinds` come together"),
        ({"search.defaults": {"plies": -1, "explortion": 0.5}}, "can set .*exploration, loop, not 'explortion'"),
        ({"text": None}, "`text` must be Text"),
    ],
)
def test_declarations_are_checked(connect_four: bw.Game, changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadGame, match=complaint):
        replaced(connect_four, **changes)


def test_unknown_attribute_of_the_package() -> None:
    with pytest.raises(AttributeError, match="no attribute 'gmae'"):
        _ = bw.gmae  # type: ignore[attr-defined]


def test_unknown_names_list_what_is_known_when_nothing_is_near() -> None:
    with pytest.raises(UnknownName, match=r"known: .*connect_four"):
        bw.game("zzzzzz")


def test_dice_race_file_is_found_by_path() -> None:
    assert bw.game(str(DICE_RACE)).name == "dice_race"


def test_lists_of_legal_actions_are_the_callers_own(connect_four: bw.Game) -> None:
    observation = connect_four.new(seed=1).observation(0)
    observation.legal_actions().clear()
    assert len(observation.legal_actions()) == 7


def test_sample_of_the_deals_own_seed_is_no_more_like_the_deal(kuhn: bw.Game) -> None:
    """Half of all samples are the truth, whatever their seed (500 deals, four standard errors)."""
    alike = 0
    for seed in range(500):
        state = kuhn.new(seed=seed)
        alike += state.observation(0).determinize(seed=seed).record.card[1] == state.record.card[1]
    assert abs(alike - 250) < 4 * 11.2


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"rules.player": lambda s: 0}, "`rules.player` lacks @rule"),
        ({"name": "two words"}, "`name` must be a word"),
        ({"seats": 2}, "must be a tuple"),
        ({"state": None}, "must be a record type"),
    ],
)
def test_more_declarations_are_checked(connect_four: bw.Game, changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadGame, match=complaint):
        replaced(connect_four, **changes)


def test_a_long_value_is_cut_off_in_a_message() -> None:
    assert records._short("a" * 60) == "'" + 36 * "a" + "…"
    assert records._short("a" * 38) == repr("a" * 38)
