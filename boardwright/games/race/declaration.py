"""Race for the Galaxy as a game of Boardwright."""

from __future__ import annotations

from boardwright.games.race import features, for_players, guide, information, policies, rules, state, style, svg, text
from boardwright.games.race.bits import WIDTH, WORDS
from boardwright.kernel import Game, Information, Learning, Metrics, Rules, SearchKnowledge, Text
from boardwright.kernel.contract import shipped_characters, shipped_named_networks, shipped_networks

game = Game(
    name="race",
    title="Race for the Galaxy",
    state=state.STATE,
    sets={
        name: WIDTH
        for name in state.STATE.names or ()
        if state.STATE[name].base == "i8" and state.STATE[name].shape[-1:] == (WORDS,)
    },
    derived=state.MEMORY,
    seats=state.SEATS,
    num_actions=state.NUM_ACTIONS,
    min_utility=0.0,
    max_utility=1.0,
    constant_sum=True,
    chance="play",
    max_game_length=state.longest_game,
    options=state.OPTIONS,
    agents={
        "heuristic": "boardwright.games.race.agents:Heuristic",
        "random-card": "boardwright.games.race.agents:RandomCard",
    },
    levels={  # in even steps on the ladders: docs/strength.md
        "beginner": {2: "ismcts:iterations=7", 3: "ismcts:iterations=2"},
        "easy": {2: "ismcts:iterations=10", 3: "heuristic", 4: "ismcts:iterations=1"},
        "middling": {2: "ismcts:iterations=40"},
        "strong": {2: "heuristic", 3: "netpolicy:weights=keldon", 4: "netpolicy:weights=keldon"},
        "expert": {2: "ismcts:iterations=500"},
        "master": {2: "netsearch:determinizations=1"},
    },
    characters=shipped_characters(__file__),
    saved_games="boardwright.games.race.keldon.saved_games:saved_games",
    positions="boardwright.games.race.positions:positions",
    rules=Rules.of(rules),
    information=Information.of(information, num_action_observations=state.NUM_ACTION_OBSERVATIONS),
    search=SearchKnowledge(
        policies={"heuristic": policies.heuristic},
        defaults={"playout": "heuristic", "loop": "open"},  # measured in matches: docs/race.md, "Strength"
    ),
    learning=Learning.of(
        features, networks=shipped_networks(__file__), named_networks=shipped_named_networks(__file__)
    ),
    text=Text.of(text, svg, guide, for_players, pages={"others": for_players.others, "seen": for_players.seen_cards}),
    metrics=Metrics.of(text, style),
)
