"""Race for the Galaxy as a game of Boardwright."""

from __future__ import annotations

from boardwright.games.race import features, for_players, guide, information, policies, rules, style, svg, text
from boardwright.games.race.bits import WIDTH, WORDS
from boardwright.games.race.state import (
    MEMORY,
    NUM_ACTION_OBSERVATIONS,
    NUM_ACTIONS,
    OPTIONS,
    SEATS,
    STATE,
    longest_game,
)
from boardwright.kernel import Game, Information, Learning, Metrics, Rules, SearchKnowledge, Text
from boardwright.kernel.contract import shipped_characters, shipped_named_networks, shipped_networks

game = Game(
    name="race",
    title="Race for the Galaxy",
    state=STATE,
    sets={name: WIDTH for name in STATE.names or () if STATE[name].base == "i8" and STATE[name].shape[-1:] == (WORDS,)},
    derived=MEMORY,
    seats=SEATS,
    num_actions=NUM_ACTIONS,
    min_utility=0.0,
    max_utility=1.0,
    constant_sum=True,
    chance="play",
    max_game_length=longest_game,
    options=OPTIONS,
    agents={
        "heuristic": "boardwright.games.race.agents:Heuristic",
        "random-card": "boardwright.games.race.agents:RandomCard",
    },
    characters=shipped_characters(__file__),
    saved_games="boardwright.games.race.keldon.saved_games:saved_games",
    positions="boardwright.games.race.positions:positions",
    rules=Rules(
        setup=rules.setup,
        player=rules.player,
        legal=rules.legal,
        apply=rules.apply,
        returns=rules.returns,
        scores=rules.scores,
        piece_counts=rules.piece_counts,
        num_piece_kinds=rules.NUM_PIECE_KINDS,
    ),
    information=Information(
        observe=information.observe,
        determinize=information.determinize,
        action_observation=information.action_observation,
        num_action_observations=NUM_ACTION_OBSERVATIONS,
        learned=information.learned,
        announced=information.announced,
        scramble=information.scramble,
        simultaneous=information.simultaneous,
    ),
    search=SearchKnowledge(
        policies={"heuristic": policies.heuristic},
        defaults={"playout": "heuristic", "loop": "open"},  # measured in matches: docs/race.md, "Strength"
    ),
    learning=Learning(
        features=features.features,
        feature_names=features.FEATURE_NAMES,
        turn=features.turn,
        rewind=features.rewind,
        networks=shipped_networks(__file__),
        named_networks=shipped_named_networks(__file__),
    ),
    text=Text(
        describe_action=text.describe_action,
        show_state=text.show_state,
        draw_state=svg.draw_state,
        guide=guide.GUIDE,
        revealed=text.revealed,
        action_details=for_players.action_details,
        set_choice=for_players.set_choice,
        cards=for_players.cards,
        pages={"others": for_players.others, "seen": for_players.seen_cards},
        show_brief=for_players.show_brief,
        rules=for_players.RULES,
    ),
    metrics=Metrics(
        action_group=text.action_group, style=style.style, question=text.question, seat_metrics=text.seat_metrics
    ),
)
