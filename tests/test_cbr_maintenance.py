"""Case-base maintenance, by scripted games."""

from __future__ import annotations

import copy
import sqlite3
from pathlib import Path

import pytest

from boardwright.cbr.maintenance import Maintenance, MaintenancePolicy
from boardwright.cbr.retain import GameTrace, Judgement, SolvedProblem
from boardwright.cbr.revise import Usage, below_class
from boardwright.cbr.similarity import similarity
from boardwright.cbr.store import ACTIVE, CANDIDATE, REMOVED, BadCaseBase, Store, StoredCase
from boardwright.errors import CannotWrite

PLACE = 3
POLICY = MaintenancePolicy(
    max_growth=2, max_candidates=3, grace_retrievals=2, grace_eras=2, rare_retrievals=0, margin=0.2
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "cases.db", create=True)
    with made.transaction():
        game = made.add_source("a won game")
        made.add(StoredCase(i, PLACE, i % 2, game, b"record") for i in range(1, 5))
        made.add([StoredCase(5, 6, 0, game, b"a payment, which nobody maintains")])
    return made


def won(maintenance: Maintenance, *similarities: float, used: tuple[int, ...] = ()) -> None:
    trace = GameTrace(
        [SolvedProblem(PLACE, 1, b"new", near) for near in similarities], [(number, 0.5) for number in used]
    )
    maintenance.end_game(trace, True, 30, 20, "won")


def lost(maintenance: Maintenance, *used: int) -> None:
    maintenance.end_game(
        GameTrace([SolvedProblem(PLACE, 1, b"new", 0.1)], [(number, 0.25) for number in used]), False, 20, 30, "lost"
    )


def status(store: Store) -> dict[int, int]:
    return dict(store.connection.execute("SELECT id, status FROM cases"))


def test_a_new_case_has_no_history(store: Store) -> None:
    (case,) = (case for case in store.cases(ACTIVE) if case.id == 1)
    assert (case.status, case.usefulness, case.retrievals, case.wins, case.similarity, case.era) == (
        ACTIVE,
        0,
        0,
        0,
        0,
        0,
    )


def test_cases_of_a_won_game_come_in_while_there_is_room_the_least_similar_first(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], POLICY)
    won(maintenance, 0.9, 0.2, 0.5)
    assert [case.usefulness for case in maintenance.active(PLACE) if case.id > 5] == [0.8, 0.5]
    assert [case.usefulness for case in maintenance.candidates(PLACE)] == [pytest.approx(0.1)]


def test_the_most_useful_candidates_are_kept(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(max_growth=0, max_candidates=3))
    won(maintenance, 0.9, 0.2, 0.5)
    won(maintenance, 0.1, 0.95)
    assert [round(case.usefulness, 2) for case in maintenance.candidates(PLACE)] == [0.9, 0.8, 0.5]
    assert sorted(status(store).values()).count(REMOVED) == 2, "the others were discarded without being used"
    assert maintenance.size(PLACE) == 4


def test_a_lost_game_gives_no_cases(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], POLICY)
    lost(maintenance, 1)
    assert len(status(store)) == 5


def test_the_registry_counts_cases_and_classes(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], POLICY)
    won(maintenance, used=(1, 2, 1))
    lost(maintenance, 1)
    case = maintenance.cases[1]
    assert (case.retrievals, case.wins, case.similarity) == (3, 2, pytest.approx(1.25))
    assert maintenance.registry == {(PLACE, 1): Usage(3, 2), (PLACE, 0): Usage(1, 1)}
    again = Maintenance(store, [PLACE], POLICY)
    assert again.cases == maintenance.cases
    assert again.registry == maintenance.registry
    assert again.games == 2


def test_a_case_below_its_class_is_removed_after_its_grace_and_a_candidate_takes_its_place(store: Store) -> None:
    maintenance = Maintenance(
        store, [PLACE], MaintenancePolicy(max_growth=0, max_candidates=3, grace_retrievals=2, grace_eras=0, margin=0.2)
    )
    won(maintenance, 0.3, used=(3, 3, 3, 3))
    lost(maintenance, 1)
    lost(maintenance, 1)
    assert maintenance.cases[1].status == ACTIVE, "two uses are within its grace"
    lost(maintenance, 1)
    assert status(store)[1] == REMOVED, "0 of 3 won, its class 4 of 7"
    assert [case.id for case in maintenance.active(PLACE)] == [2, 3, 4, 6]
    assert maintenance.candidates(PLACE) == []


def test_a_young_case_is_not_judged_after_a_lost_game_however_often_it_was_used(store: Store) -> None:
    """Grace is measured in retrievals and in time (5.8.2)."""
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(grace_retrievals=2, grace_eras=1, margin=0.15))
    won(maintenance, used=(3, 3, 3, 3, 1, 1, 1, 1))
    for _ in range(4):
        lost(maintenance, 1)
    assert maintenance.cases[1].status == ACTIVE, "4 of 8, its class 8 of 12; but it is in its first era"
    won(maintenance, used=(1,) * 4)
    maintenance.end_era()
    assert maintenance.cases[1].status == ACTIVE, "8 of 12, its class 12 of 16"
    lost(maintenance, 1, 1, 1, 1)
    assert status(store)[1] == REMOVED, "8 of 16, its class 12 of 20"


def test_rarely_retrieved_cases_leave_unless_they_did_exceptionally_well(store: Store) -> None:
    """(5.8.2): cases retrieved very rarely are deleted as well, without exceptional success."""
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(grace_eras=1, rare_retrievals=3, exceptional=0.5))
    won(maintenance, used=(1, 2, 2, 3, 3, 3, 4))
    lost(maintenance, 1, 3, 3, 3)
    lost(maintenance, 4, 2, 2)
    maintenance.end_era()
    assert maintenance.registry[PLACE, 1].rate == 0.5
    assert [case.id for case in maintenance.active(PLACE)] == [2, 3], "1 and 4 were retrieved twice, and won once"
    case = maintenance.cases[3]
    case.retrievals, case.wins = 2, 2
    maintenance.end_era()
    assert 3 in {case.id for case in maintenance.active(PLACE)}, "twice retrieved, twice won"


def test_each_case_base_has_its_own_grace_and_room_for_candidates(store: Store) -> None:
    other = 6
    policies = {
        PLACE: MaintenancePolicy(max_growth=0, max_candidates=1, grace_eras=0, grace_retrievals=0),
        other: MaintenancePolicy(max_growth=0, max_candidates=2, grace_eras=9, grace_retrievals=0),
    }
    maintenance = Maintenance(store, policies, policies)
    trace = GameTrace([SolvedProblem(base, 1, b"new", 0.5) for base in (PLACE, other) for _ in range(3)], [(3, 0.5)])
    maintenance.end_game(trace, True, 30, 20, "won")
    assert [len(maintenance.candidates(base)) for base in (PLACE, other)] == [1, 2]
    maintenance.registry[other, 0] = Usage(10, 9)
    lost(maintenance, 1, 5)
    assert status(store)[1] == REMOVED
    assert status(store)[5] == ACTIVE, "still in its grace"


def test_a_tie_gives_no_cases_and_judges_none(store: Store) -> None:
    """As when a case base is built: nobody has won."""
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(grace_retrievals=0, grace_eras=0))
    before = copy.deepcopy(maintenance.cases)
    maintenance.registry[PLACE, 1] = Usage(10, 10)
    trace = GameTrace([SolvedProblem(PLACE, 1, b"new", 0.5)], [(1, 0.5)], [SolvedProblem(PLACE, 1, b"theirs", 0.5)])
    maintenance.end_game(trace, None, 25, 25, "tied")
    assert maintenance.cases == before
    assert store.log()[-1][1] == "game 1 tied, 25 to 25"
    assert store.games_of_era(1) == (1, 0)


def test_a_case_slightly_below_its_class_stays(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(grace_retrievals=0, margin=0.2))
    maintenance.registry[PLACE, 1] = Usage(100, 50)
    case = maintenance.cases[1]
    case.retrievals, case.wins = 100, 41
    assert not maintenance.does_poorly(case)
    case.wins = 39
    assert maintenance.does_poorly(case)


def test_an_era_ends_with_culling_of_cases_that_never_won(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], POLICY)
    won(maintenance, used=(1, 2))
    maintenance.end_era()
    assert maintenance.size(PLACE) == 4, "the first era is grace"
    maintenance.end_era()
    assert [case.id for case in maintenance.active(PLACE)] == [1, 2]
    assert status(store)[5] == ACTIVE, "other bases are not maintained"


def test_a_lost_game_teaches_what_was_observed(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], POLICY)
    trace = GameTrace(observed=[SolvedProblem(PLACE, 0, b"the winner's", 0.25)])
    trace.add_solved(PLACE, 1, b"own", [1.0])
    maintenance.end_game(trace, False, 20, 30, "lost")
    assert [case.record for case in maintenance.active(PLACE) if case.id > 5] == [b"the winner's"]
    maintenance.end_game(trace, True, 30, 20, "won")
    assert [case.record for case in maintenance.active(PLACE) if case.id > 6] == [b"own"]


def test_a_policy_that_asks_for_proof_removes_no_case_for_bad_luck(store: Store) -> None:
    """The class wins 50 %; ten uses have a standard error of 15.8 points, a hundred one of 5."""
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(grace_retrievals=0, margin=0.0, standard_errors=2.0))
    maintenance.registry[PLACE, 1] = Usage(1000, 500)
    case = maintenance.cases[1]
    for retrievals, wins, poor in ((10, 2, False), (10, 1, True), (100, 41, False), (100, 39, True)):
        case.retrievals, case.wins = retrievals, wins
        assert maintenance.does_poorly(case) == poor
    case.retrievals = case.wins = 0
    assert not maintenance.does_poorly(case)


def test_a_policy_that_asks_for_proof_keeps_cases_that_were_never_used(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(grace_eras=1, standard_errors=2.0))
    maintenance.end_era()
    maintenance.end_era()
    assert maintenance.size(PLACE) == 4


def test_candidates_can_wait_for_the_end_of_the_era(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(max_growth=10, promote="era"))
    won(maintenance, 0.9, 0.2)
    assert (maintenance.size(PLACE), len(maintenance.candidates(PLACE))) == (4, 2)
    assert [case.id for case in maintenance.end_era().added] == [7, 6]
    assert (maintenance.size(PLACE), len(maintenance.candidates(PLACE))) == (6, 0)


def test_rollback_restores_cases_registry_and_games_but_not_the_log(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], POLICY)
    won(maintenance, 0.9, 0.2, used=(1,))
    maintenance.end_era()
    then = {case.id: (case.status, case.retrievals, case.wins) for case in maintenance.cases.values()}
    registry = copy.deepcopy(maintenance.registry)
    won(maintenance, 0.1, 0.3, 0.4, used=(1, 2))
    lost(maintenance, 3)
    maintenance.end_era()
    assert {case.id: (case.status, case.retrievals, case.wins) for case in maintenance.cases.values()} != then
    before = len(store.log())
    maintenance.rollback(1)
    assert {case.id: (case.status, case.retrievals, case.wins) for case in maintenance.cases.values()} == then
    assert maintenance.registry == registry
    assert (maintenance.games, maintenance.era) == (1, 1)
    assert len(store.log()) == before + 1
    assert store.log()[-1][1] == "rolled back to the end of era 1"
    maintenance.rollback(0)
    assert [case.id for case in maintenance.active(PLACE)] == [1, 2, 3, 4]
    assert maintenance.cases[1].retrievals == 0
    with pytest.raises(BadCaseBase, match="no era 7"):
        maintenance.rollback(7)


def test_a_game_is_kept_whole_or_not_at_all(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    maintenance = Maintenance(store, [PLACE], POLICY)
    before = status(store)

    def broken(*_: object) -> None:
        raise sqlite3.OperationalError("disk full")

    monkeypatch.setattr(store, "set_classes", broken)
    with pytest.raises(CannotWrite, match=r"cannot write .*cases\.db: disk full"):
        won(maintenance, 0.5, used=(1,))
    assert status(store) == before
    assert maintenance.games == 0
    assert maintenance.cases[1].retrievals == 0
    monkeypatch.undo()
    won(maintenance, 0.5, used=(1,))
    assert maintenance.games == 1
    assert CANDIDATE not in status(store).values()


def test_what_is_no_case_base_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCaseBase, match="there is no case base"):
        Store(tmp_path / "nothing.db")
    text = tmp_path / "text.db"
    text.write_text("not a database, but long enough to look like something" * 20)
    with pytest.raises(BadCaseBase, match=r"text\.db cannot be used"):
        Store(text)
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE things (x)")
    with pytest.raises(BadCaseBase, match="is not a case base"):
        Store(other)


def test_a_store_of_another_format_is_refused_in_one_line(store: Store) -> None:
    with store.transaction():
        store.set_meta("format", 1)
    with pytest.raises(BadCaseBase, match=r"cases\.db is a store of format 1; this version reads 3: make a new one"):
        Store(store.file)


def test_two_processes_do_not_write_at_once(store: Store) -> None:
    other = Store(store.file)
    other.connection.execute("PRAGMA busy_timeout=50")
    with store.transaction(), pytest.raises(BadCaseBase, match="in use by another process"), other.transaction():
        pass


def test_a_trace_keeps_what_the_critic_said_of_a_case() -> None:
    trace = GameTrace()
    trace.add_judged(7, 1.0, right=True)
    assert trace.credited(None) == [Judgement(7, similarity(1.0), True)]


def test_a_critic_credits_each_case_by_its_own_advice_whoever_wins(store: Store) -> None:
    """Two cases advise in a game that is lost; one of them advised what the critic found."""
    maintenance = Maintenance(store, [PLACE], POLICY)
    trace = GameTrace(judged=[Judgement(1, 0.5, True), Judgement(3, 0.5, False)])
    maintenance.end_game(trace, False, 20, 30, "lost")
    maintenance.end_game(trace, None, 20, 20, "tied")
    assert [(maintenance.cases[i].retrievals, maintenance.cases[i].wins) for i in (1, 3)] == [(2, 2), (2, 0)]
    assert maintenance.registry == {(PLACE, 1): Usage(4, 2)}


def test_what_a_critic_confirms_becomes_a_case_of_a_lost_game_too(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], POLICY)
    trace = GameTrace(
        [SolvedProblem(PLACE, 1, b"as the result says", 0.1)], confirmed=[SolvedProblem(PLACE, 1, b"confirmed", 0.1)]
    )
    maintenance.end_game(trace, False, 20, 30, "lost")
    assert [case.record for case in maintenance.active(PLACE) if case.id > 5] == [b"confirmed"]


def test_a_case_that_the_critic_finds_wrong_is_removed_in_a_won_game_too(store: Store) -> None:
    policy = MaintenancePolicy(max_growth=0, max_candidates=3, grace_retrievals=2, grace_eras=0, margin=0.2)
    maintenance = Maintenance(store, [PLACE], policy)
    right, wrong = [Judgement(3, 0.5, True)] * 4, [Judgement(1, 0.5, False)] * 3
    maintenance.end_game(GameTrace(judged=right), True, 30, 20, "won")
    maintenance.end_game(GameTrace(judged=wrong), True, 30, 20, "won")
    assert status(store)[1] == REMOVED, "0 of 3 right, its class 4 of 7"


def test_a_case_that_was_never_retrieved_is_not_judged() -> None:
    of_class = Usage(100, 60)
    assert not below_class(Usage(0, 0), of_class, margin=0.0, standard_errors=0.0)
    assert below_class(Usage(10, 2), of_class, margin=0.0, standard_errors=0.0)
    assert not below_class(Usage(10, 2), of_class, margin=0.0, standard_errors=3.0)  # 0.2 < 0.6 - 3 * 0.155 is wrong
    assert not below_class(Usage(10, 5), of_class, margin=0.2, standard_errors=0.0)  # 0.5 < 0.6 * 0.8 is wrong
    assert below_class(Usage(10, 4), of_class, margin=0.2, standard_errors=0.0)


def test_success_as_great_as_asked_for_is_not_yet_exceptional(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(grace_eras=1, rare_retrievals=3, exceptional=1.0))
    won(maintenance, used=(1, 2, 2, 3, 3, 3, 4))
    lost(maintenance, 1, 3, 3, 3)
    lost(maintenance, 4, 2, 2)
    maintenance.end_era()
    assert maintenance.registry[PLACE, 1].rate == 0.5
    case = maintenance.cases[3]
    case.retrievals, case.wins = 2, 2
    maintenance.end_era()
    assert 3 not in {case.id for case in maintenance.active(PLACE)}, "twice as good as its class, and no better"


def test_the_end_of_an_era_removes_no_more_than_a_share_those_used_most_without_a_win_first(store: Store) -> None:
    """Where few games are won, a case base does not go all at once."""
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(max_growth=0, grace_eras=1, most_removed=0.5))
    lost(maintenance, 3, 3, 3, 4)
    removed = maintenance.end_era().removed
    assert [case.id for case in removed] == [3, 4]
    assert [case.id for case in maintenance.end_era().removed] == [1]
    unbounded = MaintenancePolicy(max_growth=0, grace_eras=1)
    assert len(Maintenance(store, [PLACE], unbounded).end_era().removed) == 1


def test_companions_are_stored_with_the_cases_of_a_won_game_and_judged_by_nobody(store: Store) -> None:
    payment = SolvedProblem(6, 0, b"paid", 0.0)
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(grace_eras=0), companions=[6])
    maintenance.end_game(GameTrace([payment]), False, 20, 30, "lost")
    assert len(status(store)) == 5
    maintenance.end_game(GameTrace([payment]), True, 30, 20, "won")
    assert status(store)[6] == ACTIVE
    maintenance.end_era()
    assert status(store)[6] == ACTIVE
    assert 6 not in Maintenance(store, [PLACE], companions=[6]).cases


# The policy as it is unless somebody says otherwise


def test_a_case_is_judged_after_forty_retrievals_and_three_eras_if_it_is_three_tenths_below_its_class(
    store: Store,
) -> None:
    """The class wins 60 of 100: 42 % is not poor yet."""
    maintenance = Maintenance(store, [PLACE])
    maintenance.registry[PLACE, 1] = Usage(100, 60)
    case = maintenance.cases[1]
    for retrievals, wins, poor in ((40, 0, False), (41, 0, True), (100, 42, False), (100, 41, True)):
        case.retrievals, case.wins = retrievals, wins
        assert maintenance.does_poorly(case) == poor
    for era, past in ((2, False), (3, True), (4, True)):
        maintenance.era = era
        assert maintenance.past_grace(case) == past
    case.era = 2
    assert not maintenance.past_grace(case)


def test_a_case_that_was_used_less_than_three_times_stays_if_it_wins_half_as_often_again(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE])
    maintenance.registry[PLACE, 1] = Usage(100, 60)
    case = maintenance.cases[1]
    for retrievals, wins, unproven in (
        (0, 0, True),
        (2, 0, True),
        (9, 0, True),
        (2, 1, True),
        (2, 2, False),
        (3, 1, False),
    ):
        case.retrievals, case.wins = retrievals, wins
        assert maintenance._unproven(case) == unproven, (retrievals, wins)
    maintenance.registry[PLACE, 1] = Usage(6, 4)
    case.retrievals = case.wins = 1
    assert maintenance._unproven(case), "1 is not more than 4/6 and a half of it"
    maintenance.registry.clear()
    case.retrievals, case.wins = 2, 1
    assert not maintenance._unproven(case), "of a class of which nothing is known"


def test_a_base_grows_by_a_thousand_cases_and_a_hundred_wait(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE, 6])
    assert maintenance.capacity == {PLACE: 1004, 6: 1001}
    assert store.meta("capacity") == {"3": 1004, "6": 1001}
    assert store.log() == [(0, "maintenance begins with 4 cases of base 3, 1 cases of base 6")]
    waiting = Maintenance(store, [PLACE], MaintenancePolicy(promote="era"))
    won(waiting, *(number / 200 for number in range(101)))
    assert len(waiting.candidates(PLACE)) == 100
    assert waiting.candidates(PLACE)[-1].usefulness == 1 - 99 / 200, "the least useful has left"
    assert status(store)[106] == REMOVED
    assert len(waiting.end_era().added) == 100, "at the end of an era a base may change as a whole"


def test_each_step_is_a_line_of_the_log(store: Store) -> None:
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(max_growth=1, grace_retrievals=0, grace_eras=0))
    trace = GameTrace([SolvedProblem(PLACE, 1, b"new", near) for near in (0.25, 0.25)], [(3, 0.5), (99, 0.5)])
    changes = maintenance.end_game(trace, True, 30.5, 20, "won")
    assert ([case.id for case in changes.added], changes.removed) == ([6], []), "of equals the first"
    changes = maintenance.end_game(GameTrace(retrievals=[(1, 0.5)]), False, 20, 30, "lost")
    assert ([case.id for case in changes.added], [case.id for case in changes.removed]) == ([7], [1])
    assert store.log()[1:] == [
        (1, "case 6 of base 3 added, usefulness 0.750"),
        (1, "game 1 won, 30.5 to 20"),
        (2, "case 1 of base 3 removed: 0 wins in 1 retrievals"),
        (2, "case 7 of base 3 added, usefulness 0.750"),
        (2, "game 2 lost, 20 to 30"),
    ]
    assert store.sources() == {1: "a won game", 2: "won"}, "a game without problems is no source"
    assert {case.source for case in maintenance.active(PLACE) if case.id > 5} == {2}
    assert (maintenance.games, store.game_count(), store.games_of_era(1)) == (2, 2, (2, 1))
    removed = maintenance.end_era().removed
    assert [case.id for case in removed] == [2, 4, 6, 7]
    assert store.log()[-1] == (2, "era 1 ends: 1 of 2 games won, 4 cases removed, 0 added")
    assert (maintenance.era, store.era_results(), maintenance.size(PLACE)) == (1, [(1, 2)], 1)
    assert [case.id for case in maintenance.archived()] == [3]
    assert set(maintenance.cases) == {3}


@pytest.mark.parametrize(
    ("capacity", "complaint"),
    [
        ([4], "does not say how many cases"),
        ({}, "does not say how many cases"),
        ({"4": 9}, "does not say how many cases"),
        ({"3": -1}, "the capacity of its bases is"),
        ({"3": True}, "the capacity of its bases is"),
        ({"3": 1.5}, "the capacity of its bases is"),
        ({"3": 2**40}, "the capacity of its bases is"),
    ],
)
def test_a_capacity_that_cannot_be_is_damaged(store: Store, capacity: object, complaint: str) -> None:
    with store.transaction():
        store.set_meta("capacity", capacity)
        store.add_era(0, 0, 0, b"")
    with pytest.raises(BadCaseBase, match=complaint):
        Maintenance(store, [PLACE])


def test_any_capacity_from_nothing_on_is_kept(store: Store) -> None:
    Maintenance(store, [PLACE])
    for room in (0, 2**40 - 1):
        with store.transaction():
            store.set_meta("capacity", {"3": room, "4": "of others"})
        assert Maintenance(store, [PLACE]).capacity == {PLACE: room}


def test_the_end_of_an_era_removes_a_whole_number_of_cases(store: Store) -> None:
    """Of four cases 0.7 are 2, of the worst: those used most without a win, of equals the first."""
    maintenance = Maintenance(store, [PLACE], MaintenancePolicy(max_growth=0, grace_eras=1, most_removed=0.7))
    lost(maintenance, 3, 4, 2, 2)
    assert [case.id for case in maintenance.end_era().removed] == [2, 3]
    assert [case.id for case in maintenance.end_era().removed] == [4]
