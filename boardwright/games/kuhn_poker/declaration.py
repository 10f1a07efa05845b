"""Kuhn poker as a game of Boardwright."""

from __future__ import annotations

from boardwright.games.kuhn_poker import guide, information, rules, svg, text
from boardwright.games.kuhn_poker.state import NUM_ACTIONS, STATE
from boardwright.kernel import Game, Information, Rules, Text
from boardwright.kernel.contract import Numbered, PositionForm

game = Game(
    name="kuhn_poker",
    title="Kuhn poker",
    state=STATE,
    seats=(2,),
    num_actions=NUM_ACTIONS,
    min_utility=-rules.STAKE_AFTER_BET,
    max_utility=rules.STAKE_AFTER_BET,
    max_utility_sum=0.0,
    constant_sum=True,
    chance="deal",
    max_game_length=3,  # check, bet, call or fold
    levels={"strong": "optimal", "the strongest": "optimal"},
    positions=PositionForm(names=lambda fields: {"card": Numbered(("jack", "queen", "king"))}),
    agents={"optimal": "boardwright.games.kuhn_poker.agents:Optimal"},
    rules=Rules.of(rules),
    information=Information.of(information),
    text=Text.of(text, svg, guide),
)
