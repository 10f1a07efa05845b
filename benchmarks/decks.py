"""Decks: mining beside mlxtend's FP-growth, learning from 10,000 decks, and one prediction.

The decks are drawn from the model that ships, so that everybody can run this: as many identities, cards and copies as
people play. mlxtend is given the same decks as a sparse table, and both must find the same item sets.
"""

from __future__ import annotations

import statistics
import time

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
MINED = 1_000
SUPPORTS = (0.05, 0.02)
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
    frame = pd.DataFrame.sparse.from_spmatrix(_sparse(transactions.has > 0))
    figures: dict[str, float] = {}
    for support in SUPPORTS:
        ours, theirs = side_by_side(
            lambda support=support: transactions.mine(support, LARGEST),
            lambda support=support: fpgrowth(frame, min_support=support, max_len=LARGEST),
            rounds=1,
        )
        found = transactions.mine(support, LARGEST).as_dict()
        peer = fpgrowth(frame, min_support=support, max_len=LARGEST)
        same = {
            tuple(sorted(items)): round(share * len(table)) for share, items in zip(*peer.to_numpy().T, strict=True)
        }
        assert found == same, "both find the same item sets"
        name = f"{100 * support:g}"
        figures |= {f"mine_{name}_s": ours, f"mlxtend_{name}_s": theirs, f"sets_{name}": len(found)}
        print(f"support {support:.0%}: {len(found):,} sets in {ours:.3f} s, mlxtend {theirs:.2f} s")
    return figures


def _sparse(has: np.ndarray) -> object:
    from scipy.sparse import csr_matrix

    return csr_matrix(has)


def learning(table: DeckTable) -> tuple[DeckModel, float]:
    DeckModel.learn(load_model().game, table.rows(np.arange(100)))  # so that compiling is not counted
    began = time.perf_counter()
    model = DeckModel.learn(load_model().game, table)
    return model, time.perf_counter() - began


def prediction(model: DeckModel, table: DeckTable, decks: int = 200) -> float:
    """The median milliseconds of a prediction with probabilities and a legal deck."""
    random = np.random.default_rng(2)
    seen = [observe(table, row, 5, random) for row in range(decks)]
    took = []
    for observation in seen:
        began = time.perf_counter()
        model.prediction(observation)
        took.append(1e3 * (time.perf_counter() - began))
    return statistics.median(took)


def main() -> None:
    table = DeckTable.of(drawn_decks(DECKS))
    figures = mining(table.rows(np.arange(MINED)))
    model, learned_s = learning(table)
    predicted_ms = prediction(model, table)
    shared_ms = prediction(model.without_decks(), table)
    print(f"learning from {len(table):,} decks: {learned_s:.1f} s")
    print(f"one prediction: {predicted_ms:.2f} ms; without the decks {shared_ms:.2f} ms")
    figures |= {"learn_s": learned_s, "prediction_ms": predicted_ms, "prediction_without_decks_ms": shared_ms}
    publish("decks", figures)
    close(
        figures["mlxtend_2_s"] / figures["mine_2_s"],
        f"learning under {LEARNING_S:g} s, a prediction under {PREDICTION_MS:g} ms; as fast as mlxtend",
    )


if __name__ == "__main__":
    main()
