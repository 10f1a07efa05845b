"""Model files: arrays and one JSON text in an .npz file, nothing that runs code.

A model that is passed on leaves the known decks out; its weights are stored in half precision.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.decks.copies import CopyModel
from boardwright.decks.errors import BadDeckModel
from boardwright.decks.games import deck_game
from boardwright.decks.mixture import Archetypes, MixtureSettings
from boardwright.decks.model import DeckModel, ModelSettings, SideModel
from boardwright.decks.network import DeckNetwork, Inputs, NetworkSettings, Weights
from boardwright.decks.posterior import DeckPosterior, PosteriorSettings
from boardwright.decks.table import DeckTable
from boardwright.files import alone, atomic_output

FORMAT = 1
SHIPPED = Path(__file__).parent / "netrunner" / "model.npz"


def save_model(model: DeckModel, file: Path) -> None:
    facts: dict[str, Any] = {
        "format": FORMAT,
        "game": model.game.name,
        "cards": model.cards,
        "identities": model.identities,
        "decks": model.decks,
        "settings": asdict(model.settings),
        "sides": [],
    }
    arrays: dict[str, Any] = {"group": model.group, "side_of": model.side_of, "pairs": _triangle(model.pairs)}
    for number, side in enumerate(model.sides):
        inputs, kinds = side.network.inputs, side.archetypes
        facts["sides"].append(
            {
                "calibration": side.calibration,
                "calibration_without_decks": side.calibration_without_decks,
                "temper": kinds.temper,
                "first_day": inputs.first_day,
                "periods": inputs.periods,
                "names": side.posterior.table.names if side.posterior else None,
                "dates": side.posterior.table.dates if side.posterior else None,
            }
        )
        own = {
            "columns": side.columns,
            "copies": side.copies.distribution.astype(np.float16),
            "share": kinds.share.astype(np.float32),
            "kinds_identity": kinds.identity.astype(np.float16),
            "kinds_cards": kinds.cards.astype(np.float16),
            "kinds_copies": kinds.copies.astype(np.float16),
            **{f"network_{name}": array.astype(np.float16) for name, array in side.network.weights._asdict().items()},
        }
        if side.posterior is not None:
            own |= {"decks": side.posterior.table.copies, "deck_identities": side.posterior.table.identity}
        arrays |= {f"{number}_{name}": array for name, array in own.items()}
    with (
        alone(file.with_name(f".{file.name}.lock"), f"another process is writing {file}"),
        atomic_output(file) as temporary,
        temporary.open("wb") as stream,
    ):
        np.savez_compressed(stream, facts=np.array(json.dumps(facts)), **arrays)


def load_model(file: Path | None = None) -> DeckModel:
    """A model file; without one, the model that ships with the package."""
    file = file or SHIPPED
    try:
        with np.load(file, allow_pickle=False) as found:
            stored = {name: found[name] for name in found.files}
        facts = json.loads(str(stored["facts"]))
        if facts["format"] != FORMAT:
            raise BadDeckModel(f"{file} is a model of format {facts['format']}; this version reads format {FORMAT}")
        return _model(facts, stored)
    except FileNotFoundError:
        raise BadDeckModel(f"there is no model {file}; `boardwright decks learn` makes one") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise BadDeckModel(f"{file} is no model of decks: {error}") from None


def _model(facts: dict[str, Any], stored: dict[str, Any]) -> DeckModel:
    cards, identities = tuple(facts["cards"]), tuple(facts["identities"])
    given = facts["settings"]
    settings = ModelSettings(
        **{
            **given,
            "network": NetworkSettings(**given["network"]),
            "posterior": PosteriorSettings(**given["posterior"]),
            "mixture": MixtureSettings(**given["mixture"]),
        }
    )
    group = stored["group"]
    sides = []
    for number, own in enumerate(facts["sides"]):

        def array(name: str, kind: Any = np.float64, number: int = number) -> Any:
            return stored[f"{number}_{name}"].astype(kind)

        columns = array("columns", np.int64)
        weights = Weights(**{name: array(f"network_{name}", np.float32) for name in Weights._fields})
        posterior = None
        if f"{number}_decks" in stored:
            table = DeckTable(
                tuple(cards[column] for column in columns),
                identities,
                array("deck_identities", np.int64),
                array("decks", np.uint8),
                tuple(own["names"]),
                tuple(own["dates"]),
            )
            posterior = DeckPosterior(table, table.days, group, settings.posterior)
        sides.append(
            SideModel(
                columns,
                DeckNetwork(Inputs(group, len(columns), own["first_day"], own["periods"]), weights),
                Archetypes(
                    array("share"), array("kinds_identity"), array("kinds_cards"), array("kinds_copies"), own["temper"]
                ),
                CopyModel(array("copies", np.float32)),
                posterior,
                _pair(own["calibration"]),
                _pair(own["calibration_without_decks"]),
            )
        )
    pairs = _square(stored["pairs"], len(cards) + len(identities))
    return DeckModel(
        deck_game(facts["game"]), cards, identities, group, stored["side_of"], sides, pairs, settings, facts["decks"]
    )


def _pair(numbers: list[float]) -> tuple[float, float]:
    slope, intercept = numbers
    return float(slope), float(intercept)


def _triangle(pairs: Any) -> Any:
    return pairs[np.triu_indices(len(pairs))]


def _square(triangle: Any, items: int) -> Any:
    pairs = np.zeros((items, items), np.uint16)
    pairs[np.triu_indices(items)] = triangle
    return np.maximum(pairs, pairs.T)
