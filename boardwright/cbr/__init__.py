"""Case-based reasoning over cases of any game.

A case is a problem and the solution that was chosen for it. The cycle of Aamodt and Plaza (1994), and where it is:

    representation   schema.py (features), case_base.py (cases as columns)
    retrieve         similarity.py, weights.py (which features matter), index.py, retrieval.py;
                     case_class_weights.py (what mattered to each case's own class), points.py (in a learned space)
    reuse            reuse.py (adapt solutions to the options at hand, vote)
    revise           revise.py (judge cases by the games they were used in)
    retain           retain.py (solved problems of a game become candidate cases)
    maintenance      maintenance.py (the case base over many games), store.py (the SQLite file), snapshot.py

evaluation.py tests retrieval on the case base itself, weight_search.py finds feature weights, by such tests or by CBL4,
and ordered_sets.py retrieves where a case is a set with an order.
"""

__all__: list[str] = []
