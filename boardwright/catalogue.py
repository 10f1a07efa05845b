"""What comes with Boardwright: its games, agents and experiments by name, and where each is found.

This is the composition root, the one place that knows everything by name. Whatever is below asks the registry, which is
told at the start (`boardwright/__init__.py`) and also knows what other packages add through entry points. Everything is
named as "module:object" and imported when it is first asked for.
"""

from __future__ import annotations

GAMES = {
    "colonizers": "boardwright.games.colonizers:game",
    "connect_four": "boardwright.games.connect_four:game",
    "kuhn_poker": "boardwright.games.kuhn_poker:game",
    "lords": "boardwright.games.lords:game",
    "race": "boardwright.games.race:game",
    "wonders": "boardwright.games.wonders:game",
}
AGENTS = {
    "cases": "boardwright.cases.agent:Cases",
    "companion": "boardwright.playstyle.companion:Companion",
    "flat": "boardwright.search.flat:Flat",
    "human": "boardwright.terminal.human:Human",
    "isolated": "boardwright.scripts.isolated:Isolated",
    "ismcts": "boardwright.search.ismcts:ISMCTS",
    "llm": "boardwright.llm:LanguageModel",
    "maxn": "boardwright.search.maxn:MaxN",
    "memorysearch": "boardwright.cases.memory_search:MemorySearch",
    "netpolicy": "boardwright.learn.agents:NetPolicy",
    "netsearch": "boardwright.learn.agents:NetSearch",
    "nettree": "boardwright.learn.tree_agent:NetTree",
    "openspiel": "boardwright.adapters.openspiel_agent:OpenSpiel",
    "puct": "boardwright.learn.puct:PUCT",
    "random": "boardwright.agents.random:Random",
    "script": "boardwright.scripts.agent:Script",
    "tilted": "boardwright.playstyle.tilted:Tilted",
    "uct": "boardwright.search.uct:UCT",
}
AGENTS_OF_GAMES = {
    "race": {
        "remote": "boardwright.scout.remote.client:Remote",
        "scout-hybrid": "boardwright.scout.hybrid:ScoutHybrid",
        "scout1": "boardwright.scout.scout1:Scout1",
        "scout2": "boardwright.scout.scout2:Scout2",
        "scout3": "boardwright.scout.scout3:Scout3",
    },
}
"""Agents for one game that stand on more than its rules; a game names those in its own folder itself."""
EXPERIMENTS = {
    **{f"colonizers-{number}": "boardwright.experiments.colonizers:EXPERIMENTS" for number in range(1, 6)},
    **{f"madrid-{name}": "boardwright.experiments.wonders:EXPERIMENTS" for name in ("55", "55-learner", "56", "57")},
    **{f"netrunner-6.{number}": "boardwright.experiments.netrunner:EXPERIMENTS" for number in range(1, 4)},
    **{
        f"scout-7.{number}{opponent}": "boardwright.experiments.scout:EXPERIMENTS"
        for number in ("1", "2", "3", "4", "5", "5-observe", "5-critic")
        for opponent in ("", "-clone")
    },
    "scout-7.5-empty": "boardwright.experiments.scout:EXPERIMENTS",
    **{f"sephton-a{number}": "boardwright.experiments.sephton_parallel:EXPERIMENTS" for number in range(1, 5)},
    **{
        f"sephton-{name}": "boardwright.experiments.sephton_pruning:EXPERIMENTS"
        for name in ("p1", "p2", "p3", "p4", "iterations")
    },
    "sephton-duplicates": "boardwright.experiments.sephton_duplicates:EXPERIMENTS",
    **{
        f"sephton-{name}": "boardwright.experiments.sephton_selection:EXPERIMENTS"
        for name in ("selection", "budgets", "complexity", "tuning")
    },
    "sephton-style": "boardwright.experiments.sephton_style:EXPERIMENTS",
    "toolbox": "boardwright.experiments.toolbox:EXPERIMENTS",
}
"""Each in a mapping by name."""
SCRIPT_CLASS = "boardwright.scripts.agent:registered_script"
"""Makes an agent of a program that another package registers."""
