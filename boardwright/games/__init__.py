"""The games: one file or folder each. Their rules know nothing but the kernel.

A folder has the same rooms in every game; small games leave some out:

    declaration.py  the Game, as kernel/contract.py asks for it
    state.py        the record of a position, the numbers of phases and actions, the options
    cards.py        cards and boards as tables
    rules.py        setup, player, legal, apply, returns, scores, piece_counts; where it is long, it says which other
                    modules have the rules, in the order of docs/rules
    information.py  observe, determinize, action_observation; scramble, the tests' proof of them
    text.py         describe_action, show_state, action_group, seat_metrics; svg.py: draw_state
    guide.py        how it is played, for somebody who has never seen it; its texts are in guide.toml
    for_players.py  show_brief, action_steps, cards, the rules in short: what people at a terminal need
    policies.py     rollout policies; evaluation.py: evaluations, quiescent
    features.py     features, turn and rewind for learners; networks/: trained networks
    agents.py       the game's own agents
    invariants.py   what must hold in every position, checked over many random games

Called as a function, `boardwright.games()`, this package lists them.
"""

from boardwright.registry import games, make_callable

__all__: list[str] = []

make_callable(__name__, games)
