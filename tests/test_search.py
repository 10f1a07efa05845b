"""What the search agents find, and that they find it again."""

from __future__ import annotations

import math
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.agents import ask
from boardwright.arena.loop import Listener
from boardwright.arena.match import Match
from boardwright.conformance import walk
from boardwright.kernel import MAX_SEATS, rng, rule
from boardwright.kernel.entries import SearchParts
from boardwright.search import budget, ismcts, ismcts_plain, maxn, uct, uct_plain
from boardwright.search.budget import Advance, Budget, Clock, spend
from boardwright.search.root_choice import RootChoice
from boardwright.search.statistics import Statistics
from boardwright.search.uct_tree import ROOT
from boardwright.search.workspace import Workspace
from tests.conftest import replaced
from tests.games.coin import LOOK, TAKE
from tests.test_connect_four import after
from tests.uncompiled import uncompiled

TREE_SEARCHES = ["uct", "ismcts"]
ALL_SEARCHES = [*TREE_SEARCHES, "flat"]


def decide(game: bw.Game, spec: str, state: bw.State, seed: int = 0) -> bw.Decision:
    return bw.agent(spec, game, state.player, seed=seed).decide(state.observation(state.player))


@pytest.mark.parametrize("spec", ALL_SEARCHES)
def test_wins_at_once_if_it_can(connect_four: bw.Game, spec: str) -> None:
    decision = decide(connect_four, spec, after(connect_four, "112233"))
    assert decision.action == 3
    assert decision.reasons[0].value == pytest.approx(1.0)


@pytest.mark.parametrize("spec", ALL_SEARCHES)
def test_stops_the_other_from_winning(connect_four: bw.Game, spec: str) -> None:
    assert decide(connect_four, spec, after(connect_four, "41424")).action == 3


@pytest.mark.parametrize("spec", TREE_SEARCHES)
def test_sees_a_double_threat_coming(connect_four: bw.Game, spec: str) -> None:
    """Two discs in the middle of an empty row: unanswered, the third makes two threats at once."""
    assert decide(connect_four, f"{spec}:iterations=20000", after(connect_four, "443")).action in (1, 4)


@pytest.mark.parametrize("spec", ["uct", "ismcts", "flat", "uct:threads=2", "ismcts:threads=2", "random"])
def test_same_seed_gives_the_same_decision(connect_four: bw.Game, spec: str) -> None:
    state = after(connect_four, "4433")
    first, again = (decide(connect_four, spec, state, seed=5) for _ in range(2))
    assert (first.action, first.reasons) == (again.action, again.reasons)


def test_other_seeds_give_other_statistics(connect_four: bw.Game) -> None:
    state = after(connect_four, "44")
    assert decide(connect_four, "uct", state, seed=1).reasons != decide(connect_four, "uct", state, seed=2).reasons


@pytest.mark.parametrize("spec", ["uct:iterations={n}", "ismcts:iterations={n}", "flat:iterations={n},threads=2"])
@pytest.mark.parametrize("n", [1, 5, 777])
def test_root_visits_add_up_to_the_iterations(connect_four: bw.Game, spec: str, n: int) -> None:
    decision = decide(connect_four, spec.format(n=n), after(connect_four, ""))
    assert sum(reason.visits or 0 for reason in decision.reasons) == n
    assert sum(reason.weight or 0 for reason in decision.reasons) == pytest.approx(1)


@pytest.mark.parametrize("spec", TREE_SEARCHES)
def test_full_node_pool_stops_growth_not_search(connect_four: bw.Game, spec: str) -> None:
    decision = decide(connect_four, f"{spec}:iterations=5000,nodes=50", after(connect_four, "112233"))
    assert decision.action == 3
    assert sum(reason.visits or 0 for reason in decision.reasons) == 5000


@pytest.mark.parametrize("spec", ALL_SEARCHES)
def test_time_budget_is_kept(connect_four: bw.Game, spec: str) -> None:
    """Measured in processor time, of which a busy machine gives no more and no less."""
    state = after(connect_four, "44")
    decide(connect_four, spec, state)  # compiled by now
    for clock, now in (("cpu", time.thread_time), ("wall", time.perf_counter)):
        began = now()
        decision = decide(connect_four, f"{spec}:seconds=0.2,clock={clock}", state)
        assert now() - began > 0.15
        assert sum(reason.visits or 0 for reason in decision.reasons) > 0
        if clock == "cpu":
            assert now() - began < 2


def test_deeper_search_beats_shallower_and_flat(connect_four: bw.Game) -> None:
    """100 games each, seed 3: 70 wins or more come up in fewer than 1 of 10,000 matches between equals."""
    from boardwright.arena.match import Match

    for weaker in ("uct:iterations=20", "flat:iterations=1000"):
        match = Match("connect_four", ("uct:iterations=1000", weaker), seed=3)
        wins = sum(record.returns[record.order.index(0)] > 0 for record in map(match.play, range(100)))
        assert wins >= 70, f"{wins} of 100 against {weaker}"


@pytest.mark.parametrize("spec", ["uct", "ismcts", "flat"])
def test_search_plays_with_three_and_four_seats_and_chance(dice_race: bw.Game, spec: str) -> None:
    """On the last turn of the last seat, behind by one, only rolling can win."""
    for seats in (3, 4):
        state = dice_race.new(seed=1, seats=seats, rounds=1)
        for _ in range(seats - 1):
            state.apply(0)
        state.record.points[:seats] = [1] * (seats - 1) + [0]
        decision = decide(dice_race, spec, state)
        assert decision.action == 1
        if spec != "uct":  # which knows the die in each of its worlds, and expects too much
            assert decision.reasons[0].value == pytest.approx(5 / 6, abs=0.1)


@pytest.mark.parametrize("game", ["connect_four", "kuhn_poker"])
def test_variants_of_information_set_search_agree_where_no_action_is_hidden(game: str) -> None:
    loaded = bw.game(game)
    decisions = [decide(loaded, f"ismcts:variant={variant}", loaded.new(seed=3)) for variant in ("so", "pom", "mo")]
    assert decisions[0].reasons == decisions[1].reasons == decisions[2].reasons


def expects(game: bw.Game, spec: str, state: bw.State) -> float:
    """The payoff search expects, over all it tried."""
    reasons = decide(game, spec, state).reasons
    return sum((reason.value or 0) * (reason.weight or 0) for reason in reasons)


def test_one_tree_believes_that_the_guesser_sees_the_penny(pennies: bw.Game) -> None:
    """In the hider's single tree the guesser answers each hand on its own, and is always right. With a tree of its own
    it cannot: now and then it is right, now and then wrong."""
    state = pennies.new(seed=1, rounds=1)
    expected = {
        variant: [
            sum(
                (r.value or 0) * (r.weight or 0)
                for r in decide(pennies, f"ismcts:variant={variant}", state, seed).reasons
            )
            for seed in range(40)
        ]
        for variant in ("so", "pom", "mo")
    }
    assert max(expected["so"]) < -0.9
    assert max(expected["pom"]) < -0.9
    assert -0.5 < sum(expected["mo"]) / 40 < 0.5


def test_one_tree_believes_that_it_will_see_what_others_hide(pennies: bw.Game) -> None:
    """Guessing now is a coin's toss; in the round after, plain search expects to see the penny being hidden."""
    state = pennies.new(seed=1, rounds=2)
    state.apply(0)
    assert expects(pennies, "ismcts:iterations=5000", state) > 0.4
    assert expects(pennies, "ismcts:iterations=5000,variant=pom", state) == pytest.approx(0, abs=0.1)
    assert expects(pennies, "ismcts:iterations=5000,variant=mo", state) == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("spec", ["so", "pom", "mo", "so,threads=2,parallel=tree"])
def test_what_is_seen_before_a_choice_counts_in_it(coin: bw.Game, spec: str) -> None:
    """Whoever looks at the coin names it rightly. With one choice for both sides looking seems worth a half."""
    state = coin.new(seed=1)
    decision = decide(coin, f"ismcts:iterations=5000,variant={spec}", state)
    values = {reason.action: reason.value for reason in decision.reasons}
    assert decision.action == LOOK
    assert values[LOOK] == pytest.approx(1.0, abs=0.03)
    open_loop = decide(coin, f"ismcts:iterations=5000,loop=open,variant={spec}", state)
    assert open_loop.action == TAKE


def test_a_closed_loop_needs_to_know_what_is_learned(connect_four: bw.Game) -> None:
    with pytest.raises(bw.errors.BadSpec, match="connect_four does not declare what loop=closed needs: `learned`"):
        bw.agent("ismcts:loop=closed", connect_four, 0)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_maxn_finds_a_win_within_its_depth(connect_four: bw.Game, depth: int) -> None:
    decision = decide(connect_four, f"maxn:depth={depth}", after(connect_four, "112233"))
    assert decision.action == 3
    assert decision.reasons[0].value == 1


def test_maxn_sees_threats_only_within_its_depth(connect_four: bw.Game) -> None:
    threatened = after(connect_four, "41424")
    assert decide(connect_four, "maxn:depth=1,ties=first", threatened).action == 0
    assert decide(connect_four, "maxn:depth=2", threatened).action == 3


def test_maxn_looks_at_every_line_once(connect_four: bw.Game) -> None:
    summary = decide(connect_four, "maxn:depth=3", after(connect_four, "")).summary
    assert summary == "1 determinizations, 3 plies, 399 positions"


def test_shallow_pruning_leaves_out_positions_and_changes_no_value(connect_four: bw.Game) -> None:
    """The returns of a game of two add up to 0: who has found a win need not look on."""
    unpruned = replaced(connect_four, max_utility_sum=None)
    for moves in ("4435", "44353", "445566"):
        state = after(connect_four, moves)
        with_, without = (decide(game, "maxn:depth=5,ties=first", state) for game in (connect_four, unpruned))
        assert (with_.action, with_.reasons) == (without.action, without.reasons)
        positions = [int(decision.summary.split()[-2].replace(",", "")) for decision in (with_, without)]
        assert positions[0] < 0.9 * positions[1]


def test_maxn_draws_among_equally_good_actions(connect_four: bw.Game) -> None:
    """Nothing is decided within a ply of the first move: every column is as good as the others."""
    state = after(connect_four, "")
    chosen = {decide(connect_four, "maxn:depth=1", state, seed=seed).action for seed in range(40)}
    assert chosen == set(range(7)), "with 40 seeds a column is left out once in 70 tries"
    assert {decide(connect_four, "maxn:depth=1,ties=first", state, seed=seed).action for seed in range(9)} == {0}
    again = [decide(connect_four, "maxn:depth=1", state, seed=7).action for _ in range(3)]
    assert len(set(again)) == 1, "the same seed draws the same"


def test_maxn_deepens_as_long_as_there_is_time(connect_four: bw.Game) -> None:
    state = after(connect_four, "41424")
    decide(connect_four, "maxn:depth=1", state)  # compiled by now
    began = time.thread_time()
    decision = decide(connect_four, "maxn:seconds=0.2,clock=cpu", state)
    assert decision.action == 3
    assert int(decision.summary.split()[2]) >= 5
    assert time.thread_time() - began < 2
    deep = decide(connect_four, "maxn:seconds=3600,depth=3", after(connect_four, "112233"))
    assert deep.summary.startswith("1 determinizations, 3 plies"), "`depth` is the most"


def test_maxn_stops_where_everything_is_known(coin: bw.Game) -> None:
    """Two plies end this game; no time is spent on a third, though there would be days of it."""
    decision = decide(coin, "maxn:seconds=1000000,determinizations=3", coin.new(seed=1))
    assert decision.summary.startswith("3 determinizations, 2 plies")


def brute_force(state: bw.State, depth: int) -> tuple[float, ...]:
    if state.is_terminal or depth == 0:
        return state.returns
    options = []
    for action in state.legal_actions():
        below = state.copy()
        below.apply(action)
        options.append(brute_force(below, depth - 1))
    return max(options, key=lambda payoffs: payoffs[state.player])


@pytest.mark.parametrize("root", ["own", "lexicographic"])
def test_maxn_is_what_its_definition_says(connect_four: bw.Game, root: str) -> None:
    for moves in ("4435", "44353", "445566", "172737"):
        state = after(connect_four, moves)
        values = []
        for action in state.legal_actions():
            below = state.copy()
            below.apply(action)
            values.append(brute_force(below, 3))
        best = max(range(len(values)), key=lambda i: values[i][state.player] if root == "own" else values[i])
        decision = decide(connect_four, f"maxn:depth=4,ties=first,root={root}", state)
        assert decision.action == state.legal_actions()[best]


def best_reply(state: bw.State, depth: int, evaluate: Any) -> tuple[float, ...]:
    """MaxN by its definition, for any number of seats: of actions equally good for who moves, the first."""
    if state.is_terminal or depth == 0:
        out = np.zeros(MAX_SEATS)
        evaluate(state.memory, out)
        return tuple(out[: state.seats])
    best: tuple[float, ...] | None = None
    for action in state.legal_actions():
        below = state.copy()
        below.apply(action)
        payoffs = best_reply(below, depth - 1, evaluate)
        if best is None or payoffs[state.player] > best[state.player]:
            best = payoffs
    assert best is not None
    return best


def test_maxn_with_four_seats_can_leave_ties_to_the_first_action() -> None:
    """Where the mover does not care, the others do: the payoffs of all four seats must be those of the first of equal
    actions, here on every fourth position of a game of Colonizers."""
    game = bw.game("colonizers")
    rules, evaluate = game.entries.search_rules(SearchParts(evaluation="thesis")), game.entries.evaluation("thesis")
    levels, settings = maxn.Levels.for_game(game, 3), maxn.Settings(3, False, math.inf)
    for number, (_, state, legal) in enumerate(walk(game, 4, {}, seed=5)):
        if number % 4 or not legal:
            continue
        returns = np.zeros((len(legal), MAX_SEATS))
        maxn.search(rules, state.memory, settings, levels, returns, rng.generator(1))
        for place, action in enumerate(legal):
            below = state.copy()
            below.apply(action)
            assert tuple(returns[place, : state.seats]) == best_reply(below, 2, evaluate)


@pytest.mark.parametrize(
    ("weak_child_mean", "chosen"),
    [(0.3, 1), (0.0, 0)],
    ids=["little visited, so it is tried again", "so bad that the bound stays below"],
)
def test_uct_s_bound_grows_with_the_logarithm_of_the_visits(weak_child_mean: float, chosen: int) -> None:
    """Children with 90 and 10 visits, the first with a mean of 0.6: 0.6 + √(ln 100 / 90) = 0.826; √(ln 100 / 10) is
    0.679."""
    tree = uct.Tree.with_room_for(3)
    tree.first[ROOT], tree.children[ROOT], tree.visits[ROOT] = 1, 2, 100
    tree.visits[1:3] = 90, 10
    tree.total[1:3] = 90 * 0.6, 10 * weak_child_mean
    assert uncompiled(uct_plain.highest_bound)(tree, ROOT, 1.0) == 1 + chosen


def test_the_root_of_uct_s_tree_counts_every_iteration(connect_four: bw.Game) -> None:
    tree = uct.Tree.with_room_for(10_000)
    root, rules = connect_four.new(seed=0).memory, connect_four.entries.search_rules(SearchParts("random"))
    settings = uct.Settings(1.4, -1, 0.0, -1.0)
    uct.kernel()(rules, root, settings, tree, Workspace.for_game(connect_four), rng.generator(1), 300)
    children = slice(tree.first[ROOT], tree.first[ROOT] + tree.children[ROOT])
    assert tree.visits[ROOT] == tree.visits[children].sum() == 300


def test_a_virtual_loss_counts_as_visits_that_were_lost() -> None:
    """Two losses of -1 for each of the threads below a child: 6 of 10 + 4 - 4 for the first, 5 of 10 for the second."""
    tree = uct.SharedTree.with_room_for(3)
    tree.first[ROOT], tree.children[ROOT], tree.visits[ROOT] = 1, 2, 20
    tree.visits[1:3], tree.total[1:3] = 10, (6, 5)
    bound = uncompiled(uct_plain.highest_bound_apart)
    assert bound(tree, ROOT, uct.Settings(0.0, -1, 2, -1.0)) == 1
    tree.pending[1] = 2
    assert bound(tree, ROOT, uct.Settings(0.0, -1, 2, -1.0)) == 2
    assert bound(tree, ROOT, uct.Settings(0.0, -1, 2, 0.0)) == 2, "visits count, too: 6 of 14 is less than 5 of 10"
    tree.total[1] = 8
    assert bound(tree, ROOT, uct.Settings(0.0, -1, 2, 0.0)) == 1, "8 of 14 is more"


def test_ismcts_s_bound_weighs_its_margin() -> None:
    """A mean of 0.4 and a margin of 2·√(4 / 25)."""
    tree = ismcts.Tree.with_room_for(1)
    tree.visits[0], tree.total[0] = 25, 10.0
    settings = ismcts.Settings(ismcts.SO, False, 2.0, -1, 0, -1.0)
    assert uncompiled(ismcts_plain.upper_bound)(tree, 0, 4.0, settings) == pytest.approx(0.4 + 0.8)


@pytest.mark.parametrize(("visits", "bound"), [(0, -math.inf), (1, 0.5 + 4.0)], ids=["still below it", "been there"])
def test_ismcts_s_bound_of_a_child_that_another_thread_has_made(visits: int, bound: float) -> None:
    tree = ismcts.Tree.with_room_for(1)
    tree.visits[0], tree.total[0] = visits, 0.5 * visits
    settings = ismcts.Settings(ismcts.SO, False, 2.0, -1, 0, -1.0)
    assert uncompiled(ismcts_plain.upper_bound)(tree, 0, 4.0, settings) == bound


@pytest.mark.parametrize("spec", ["maxn:determinizations=2", "ismcts:iterations=50", "uct:iterations=50"])
def test_a_stream_lasts_a_game_and_starts_anew_with_the_next(spec: str) -> None:
    """As in the Colonizers thesis: copies of an agent draw the same numbers, whatever their own seeds; and the numbers
    of one decision are not those of the next."""
    game = bw.game("colonizers")
    state = next(state for _, state, legal in walk(game, 4, {}, seed=5) if state.record.round == 8 and len(legal) > 4)
    observation = state.observation(state.player)
    agents = [
        bw.agent(f"{spec},stream={stream}", game, state.player, seed=seed)
        for seed, stream in ((1, 15), (2, 15), (1, 16))
    ]
    first, copy, other = ([agent.decide(observation).reasons for _ in range(3)] for agent in agents)
    assert first == copy
    assert first[0] != first[1]
    assert first != other


def test_playout_policies_of_the_game_are_used(dice_race: bw.Game) -> None:
    state = dice_race.new(seed=1, seats=2, rounds=20)
    random, cautious = (decide(dice_race, f"flat:playout={name}", state) for name in ("random", "cautious"))
    assert random.reasons != cautious.reasons
    with pytest.raises(bw.errors.UnknownName, match="did you mean 'cautious'"):
        bw.agent("flat:playout=cautous", dice_race, 0)


def test_a_ranking_is_not_taken_for_returns() -> None:
    """Cards on the board and chances to win do not add up."""
    lords = bw.game("lords")
    with pytest.raises(
        bw.errors.BadSpec,
        match="evaluation=h4 ranks positions in units of its own, and cannot be added up with returns; estimates of the"
        " returns in lords: scaled_h4, scaled_h1",
    ):
        bw.agent("uct:plies=4,evaluation=h4", lords, 0)
    assert bw.agent("maxn:evaluation=h4", lords, 0).estimate == "h4", "MaxN compares, and adds up nothing"


@rule
def nobody_ever_wins(s: Any) -> int:
    return 0


@pytest.mark.parametrize("spec", ["flat:iterations=2", "uct:iterations=2", "ismcts:iterations=2"])
def test_a_game_without_an_end_does_not_hang_search(coin: bw.Game, spec: str) -> None:
    """A playout that is given up counts as a game between a win and a loss."""
    endless = replaced(coin, name="endless", **{"rules.player": nobody_ever_wins})
    decision = decide(endless, spec, endless.new(seed=1))
    assert {reason.value for reason in decision.reasons if reason.visits} == {0.5}


def test_single_legal_action_needs_no_search(connect_four: bw.Game) -> None:
    state = after(connect_four, "121212212121343434434343565656656565")
    assert len(state.legal_actions()) == 1
    decision = ask(bw.agent("uct:iterations=1000000000", connect_four, state.player), state.observation(state.player))
    assert decision.forced
    assert decision.action == state.legal_actions()[0]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_budget_is_shared_without_loss(threads: int) -> None:
    shares = Budget(1000).share(threads)
    assert sum(share.iterations for share in shares) == 1000
    assert max(s.iterations for s in shares) - min(s.iterations for s in shares) <= 1


def test_iteration_budget_is_spent_exactly() -> None:
    spent: list[int] = []
    assert spend(Budget(12345), [spent.append]) == 12345
    assert sum(spent) == 12345


def test_slices_of_a_quick_search_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A millionth of a second per iteration: 20,000 of them between two looks at the clock, 16 times as many as in the
    slice before at most."""
    now, spent = [0.0], list[int]()
    monkeypatch.setattr(budget, "time", SimpleNamespace(perf_counter=lambda: now[0]))

    def advance(n: int) -> None:
        spent.append(n)
        now[0] += n * 1e-6

    spend(Budget(60_000), [advance])
    assert spent[:3] == [64, 1024, 16384]
    assert spent[3:5] == pytest.approx([20_000, 20_000], abs=1)


def test_iterations_within_a_time_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    now, spent = [0.0], list[int]()
    monkeypatch.setitem(budget.CLOCKS, "wall", lambda: now[0])

    def advance(n: int) -> None:
        spent.append(n)
        now[0] += n * 1e-3

    assert spend(Budget(0, 0.03), [advance, advance]) == sum(spent)


def test_statistics_of_threads_add_up() -> None:
    merged = Statistics.merged([Statistics({1: 10, 2: 5}, {1: 5.0, 2: 0.0}), Statistics({2: 10}, {2: 10.0})])
    assert merged.visits == {1: 10, 2: 15}
    assert merged.mean(2) == pytest.approx(10 / 15)
    assert RootChoice().rank(merged.candidates(0, 1))[0].action == 2
    by_mean = Statistics({1: 9, 2: 3}, {1: 0.0, 2: 3.0}).candidates(0, 1)
    assert RootChoice("max").rank(by_mean)[0].action == 2


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_a_short_time_is_shared_by_all_determinizations_and_not_overrun(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten searches whose iterations take 40 µs, in 2 ms. A first slice of 64 iterations each would take 25 ms."""
    now, counts = [0.0], [0] * 10
    monkeypatch.setitem(budget.CLOCKS, clock, lambda: now[0])

    def search(number: int) -> Advance:
        def advance(n: int) -> None:
            counts[number] += n
            now[0] += n * 40e-6

        return advance

    spend(Budget(0, 0.002, clock), [search(number) for number in range(10)])
    assert min(counts) > 0, "every determinization gets its turns"
    assert now[0] < 0.0025


@pytest.mark.parametrize("spec", ["uct:iterations=300", "ismcts:iterations=300", "uct:iterations=300,solver=true"])
def test_a_search_that_stops_when_no_other_action_can_be_chosen_plays_the_same_games(spec: str) -> None:
    match = Match("connect_four", (spec, "uct:iterations=100"), seed=3)
    assert match.play(0).actions == match.play(0, [Listener()]).actions, "somebody looks at the second"


def test_a_search_stops_when_no_other_action_can_become_the_most_visited(connect_four: bw.Game) -> None:
    state = connect_four.new(seed=0)
    for column in (3, 0, 3, 0, 3, 0):
        state.apply(column)  # a fourth disc in column 3 wins
    agent = bw.agent("uct:iterations=1000", connect_four, 0)
    whole = agent.decide(state.observation(0))
    agent.action_suffices = True
    found = agent.decide(state.observation(0))
    most, second = sorted((reason.visits or 0 for reason in found.reasons), reverse=True)[:2]
    spent = sum(reason.visits or 0 for reason in found.reasons)
    assert (found.action, found.best) == (whole.action, True)
    assert 500 < spent < 800
    assert most - second > 1000 - spent
    assert sum(reason.visits or 0 for reason in whole.reasons) == 1000
