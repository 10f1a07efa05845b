"""Model files: arrays and one JSON text in an .npz file, nothing that runs code. They may come from anywhere.

A model that is passed on leaves the known decks out; its weights are stored in half precision.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.construction import DeckGame
from boardwright.decks.copies import CopyModel
from boardwright.decks.errors import BadDeck, BadDeckModel
from boardwright.decks.games import deck_game
from boardwright.decks.mixture import Archetypes, MixtureSettings
from boardwright.decks.model import DeckModel, ModelSettings, SideModel
from boardwright.decks.nearest import NearestDecks, NearestSettings
from boardwright.decks.network import DeckNetwork, Inputs, NetworkSettings, Weights
from boardwright.decks.posterior import DeckPosterior, PosteriorSettings
from boardwright.decks.prediction import Rulebook
from boardwright.decks.sizes import MOST_ABOVE, SizeModel
from boardwright.decks.table import COPIES, DeckTable
from boardwright.errors import BadRecord, UnknownName
from boardwright.files import alone
from boardwright.learn.archive import Archive, open_archive, write_archive

FORMAT = 2
LARGEST = 4096
"""The most hidden units, archetypes and periods that a file may have."""
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
    arrays: dict[str, Any] = {"sizes": model.sizes.decks, "pairs": _triangle(model.pairs)}
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
    with alone(file.with_name(f".{file.name}.lock"), f"another process is writing {file}"):
        write_archive(file, facts, arrays, name="facts")


def load_model(file: Path | None = None, game: DeckGame | None = None) -> DeckModel:
    """A model file; without one, the model that ships with the package. `game` has other cards than those that ship."""
    file = file or SHIPPED
    try:
        with open_archive(file, "model of decks") as archive:
            facts = archive.metadata("facts")
            if facts.get("format") != FORMAT:
                raise ValueError(
                    f"it has format {facts.get('format')!r}; this version reads format {FORMAT}: learn it again"
                )
            try:
                return _model(facts, archive, game or deck_game(str(facts["game"])))
            except (KeyError, TypeError, AttributeError, IndexError, UnknownName, BadDeck) as error:
                raise ValueError(f"{type(error).__name__}: {error}") from None
    except BadRecord as error:
        hint = "" if file.exists() else "; `boardwright decks learn` makes one"
        raise BadDeckModel(f"{error}{hint}") from None


def _model(facts: dict[str, Any], archive: Archive, game: DeckGame) -> DeckModel:
    """Sizes follow from the cards, or are bounded before anything is read."""
    cards, identities = _codes(facts, "cards", game), _codes(facts, "identities", game)
    given = facts["settings"]
    settings = ModelSettings(
        **{
            **given,
            "network": NetworkSettings(**given["network"]),
            "posterior": PosteriorSettings(**given["posterior"]),
            "nearest": NearestSettings(**given.get("nearest", {})),
            "mixture": MixtureSettings(**given["mixture"]),
        }
    )
    group = Rulebook(game, cards, identities).group
    if len(facts["sides"]) != len({game.construction.side(code) for code in identities}):
        raise ValueError("it has not a model for each side of its identities")
    sides = [
        _side(own, number, archive, cards, identities, group, settings) for number, own in enumerate(facts["sides"])
    ]
    items = len(cards) + len(identities)
    pairs = _square(archive.integers("pairs", (items * (items + 1) // 2,), 1 << 16), items)
    sizes = SizeModel(archive.integers("sizes", (len(identities), MOST_ABOVE + 1), 1 << 32).astype(np.int64))
    return DeckModel(game, cards, identities, sides, sizes, pairs, settings, int(facts["decks"]))


def _codes(facts: dict[str, Any], name: str, game: DeckGame) -> tuple[str, ...]:
    codes = tuple(str(code) for code in facts[name])
    if len(set(codes)) != len(codes) or not codes:
        raise ValueError(f"its {name} are not different, or there are none")
    for code in codes:
        if code not in game.pool:
            raise ValueError(f"it knows a card {code!r}, which {game.title} does not have; name the cards with --cards")
    return codes


def _side(
    own: dict[str, Any],
    number: int,
    archive: Archive,
    cards: tuple[str, ...],
    identities: tuple[str, ...],
    group: NDArray[np.int64],
    settings: ModelSettings,
) -> SideModel:
    def length(name: str, most: int) -> int:
        shape = archive.shape(f"{number}_{name}")
        if len(shape) != 1 or not 1 <= shape[0] <= most:
            raise ValueError(f"{number}_{name} has the wrong size")
        return shape[0]

    def floats(name: str, *shape: int) -> NDArray[np.float32]:
        return archive.floats(f"{number}_{name}", shape)

    here = length("columns", len(cards))
    kinds, hidden = length("share", LARGEST), length("network_hidden_bias", LARGEST)
    columns = archive.integers(f"{number}_columns", (here,), len(cards)).astype(np.int64)
    periods = int(own["periods"])
    if not 0 <= periods <= LARGEST:
        raise ValueError(f"{periods} periods")
    inputs = Inputs(group, len(identities), here, int(own["first_day"]), periods)
    weights = Weights(
        deep=floats("network_deep", inputs.number, hidden),
        hidden_bias=floats("network_hidden_bias", hidden),
        output=floats("network_output", hidden, here),
        wide=floats("network_wide", inputs.number, here),
        bias=floats("network_bias", here),
    )
    archetypes = Archetypes(
        floats("share", kinds).astype(np.float64),
        floats("kinds_identity", kinds, len(identities)).astype(np.float64),
        floats("kinds_cards", kinds, here).astype(np.float64),
        floats("kinds_copies", kinds, here).astype(np.float64),
        float(own["temper"]),
    )
    posterior = nearest = None
    if f"{number}_decks" in archive:
        names, dates = (tuple(str(text) for text in own[name]) for name in ("names", "dates"))
        table = DeckTable(
            tuple(cards[column] for column in columns),
            identities,
            archive.integers(f"{number}_deck_identities", (len(names),), len(identities)).astype(np.int64),
            archive.integers(f"{number}_decks", (len(names), here), 1 << 8).astype(np.uint8),
            names,
            dates,
        )
        posterior = DeckPosterior(table, table.days, group, settings.posterior)
        nearest = NearestDecks(table, table.days, group, settings.nearest)
    return SideModel(
        columns,
        DeckNetwork(inputs, weights),
        archetypes,
        CopyModel(floats("copies", len(identities), here, COPIES), group),
        posterior,
        nearest,
        _pair(own["calibration"]),
        _pair(own["calibration_without_decks"]),
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
