"""Decks: mining beside mlxtend's FP-growth, learning from 10,000 decks, and one prediction.

A thousand decks are drawn from the model that ships, so that everybody can run this: with identities, cards and copies
as people play them. mlxtend is given the same decks as a sparse table, and both must find the same item sets. Learning
is measured by the clock and in CPU time, of both threads together; predictions in CPU time.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np
import pandas as pd
from common import close, publish, side_by_side
from mlxtend.frequent_patterns import fpgrowth

from boardwright.decks import Deck, DeckTable
from boardwright.decks.mining import Transactions
from boardwright.decks.model import DeckModel, observe
from boardwright.decks.prediction import Observation
from boardwright.decks.storage import load_model

DECKS = 10_000
DRAWN = 1_000
"""Learning takes as long from these ten times over."""
SUPPORTS = (0.1, 0.05)
LARGEST = 4
LEARNING_S, PREDICTION_MS = 10.0, 5.0


def drawn_decks(number: int, seed: int = 1) -> list[Deck]:
    """Decks of the identities that the model has met, as often as it has met them."""
    model, random = load_model(), np.random.default_rng(seed)
    met = model.pairs.diagonal()[: len(model.identities)].astype(np.float64)
    decks = []
    for identity, share in enumerate(random.multinomial(number, met / met.sum())):
        size = model.game.construction.minimum_size(model.identities[identity])
        nothing = Observation(identity, np.zeros(len(model.cards), np.int64), size)
        decks += [model.deck(identity, copies) for copies in model.sample(nothing, random, int(share))]
    return [decks[place] for place in random.permutation(len(decks))]


def mining(table: DeckTable) -> dict[str, float]:
    """Seconds of both miners per minimum support."""
    transactions = Transactions.of(table)
    frame = pd.DataFrame.sparse.from_spmatrix(_sparse(transactions.has.T > 0))
    figures: dict[str, float] = {}
    for support in SUPPORTS:
        found: dict[str, Any] = {}

        def mine(support: float = support, found: dict[str, Any] = found) -> None:
            found["ours"] = transactions.mine(support, LARGEST)

        def mine_with_peer(support: float = support, found: dict[str, Any] = found) -> None:
            found["peer"] = fpgrowth(frame, min_support=support, max_len=LARGEST)

        ours, theirs = side_by_side(mine, mine_with_peer, rounds=1)
        pairs = found["peer"].itertuples(index=False)
        same = {tuple(sorted(items)): round(share * len(table)) for share, items in pairs}
        assert found["ours"].as_dict() == same, "both find the same item sets"
        name = f"{100 * support:g}"
        figures |= {f"mine_{name}_s": ours, f"mlxtend_{name}_s": theirs, f"sets_{name}": len(same)}
        print(f"support {support:.0%}: {len(same):,} sets in {ours:.3f} s, mlxtend {theirs:.2f} s")
    return figures


def _sparse(has: np.ndarray) -> object:
    from scipy.sparse import csr_matrix

    return csr_matrix(has)


def learning(table: DeckTable) -> tuple[DeckModel, dict[str, float]]:
    DeckModel.learn(load_model().game, table.rows(np.arange(100)))  # so that compiling is not counted
    began, used = time.perf_counter(), time.process_time()
    model = DeckModel.learn(load_model().game, table)
    return model, {"learn_clock_s": time.perf_counter() - began, "learn_s": time.process_time() - used}


def prediction(model: DeckModel, table: DeckTable, decks: int = 200) -> float:
    """The median milliseconds of a prediction with probabilities and a legal deck."""
    random = np.random.default_rng(2)
    seen = [observe(table, row, 5, random) for row in range(decks)]
    took = []
    for observation in seen:
        began = time.process_time()
        model.prediction(observation)
        took.append(1e3 * (time.process_time() - began))
    return statistics.median(took)


def main() -> None:
    drawn = DeckTable.of(drawn_decks(DRAWN))
    figures = mining(drawn)
    table = drawn.rows(np.tile(np.arange(DRAWN), DECKS // DRAWN))
    model, learned = learning(table)
    predicted_ms = prediction(model, table)
    shared_ms = prediction(model.without_decks(), table)
    print(
        f"learning from {len(table):,} decks: {learned['learn_clock_s']:.1f} s by the clock,"
        f" {learned['learn_s']:.1f} s of CPU time"
    )
    print(f"one prediction: {predicted_ms:.2f} ms; without the decks {shared_ms:.2f} ms")
    figures |= {**learned, "prediction_ms": predicted_ms, "prediction_without_decks_ms": shared_ms}
    publish("decks", figures)
    close(
        figures["mlxtend_5_s"] / figures["mine_5_s"],
        f"learning under {LEARNING_S:g} s, a prediction under {PREDICTION_MS:g} ms; as fast as mlxtend",
    )


if __name__ == "__main__":
    main()
