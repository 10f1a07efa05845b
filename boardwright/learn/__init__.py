"""Networks trained by self-play, and turn search with them.

network.py           the network: a policy head and a value head, and its file
turn_search.py       the search that agents and self-play use; workspace.py: its scratch buffers
tree_search.py       the same for games whose turns are single actions; tree.py: its nodes; tree_agent.py: `nettree`
agents.py            `netsearch` and `netpolicy`, the agents; network_files.py: which network they play with
self_play.py         one game of self-play; trajectory.py: its rows; generation.py: many games, on several threads
imitation.py         rows from recorded games instead
training_set.py      rows with policy targets and TD(λ) value targets
loss.py, adam.py     loss, gradient and optimizer
config.py            what decides how weights come out; training.py: generations, checkpoints; transfer.py: a
                     network for one seat count as the beginning of one for another

Games are known by their contract only, never by name.
"""

__all__: list[str] = []
