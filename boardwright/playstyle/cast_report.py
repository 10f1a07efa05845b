"""The characters of a game as reports: who they are and how they are rated; what a calibration has found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boardwright.agents.characters import STRENGTHS, Cast, Character, Rating, Strength
from boardwright.kernel import Game
from boardwright.playstyle.calibration import Calibrated
from boardwright.playstyle.distance import recognition
from boardwright.playstyle.profile import PHASES, GameRow, matrix
from boardwright.playstyle.report import distinct, most_telling, recognition_data, recognition_section
from boardwright.playstyle.style_search import STEPS, StyleSearch, Trial, elites, likes_in, tilts_in
from boardwright.reports.report import Metric, Report, Section, percent

IN_PICTURE = 6
"""Features in the small picture of a character's style."""
NOT_IN_PICTURE = ("complexity", *(f"{phase}:" for phase in PHASES))
"""Features that say little to people begin so."""
ALIKE = 0.9
"""Correlation from which on two features count as one."""
WANTED = 40
"""Elo: as near as this, characters of one strength are to be to the mean of all of them."""


def characters_report(game: Game, cast: Cast) -> Report:
    """Who there is, with ratings at each strength and a small picture of the style."""
    metrics = (
        Metric("name", lambda one: one.name, "character", left=True),
        *(_rating_metric(strength) for strength in STRENGTHS),
        Metric("style", lambda one: one.style, "more than the others, or less", style_in_words, left=True),
    )
    title = f"Characters of {game.title}: ratings at {cast.seats} seats, with 95 % intervals"
    anchors = ", ".join(f"{strength} {_rating(version.rating)}" for strength, version in cast.anchors.items())
    note = f'Anchors: {anchors}. Play one: boardwright play {game.name} --vs "{cast.names[0]}:strength=easy"'
    cards = [f"{one.name}: {one.about}" for one in cast.characters]
    return Report([*cards, Section(title, metrics, cast.characters), note], cast.model_dump(mode="json"))


def _rating_metric(strength: Strength) -> Metric:
    def rating(one: Character) -> Rating | None:
        return one.strengths[strength].rating if strength in one.strengths else None

    def plain(one: Character) -> Any:
        found = rating(one)
        return None if found is None else found.model_dump()

    return Metric(strength, plain, strength, lambda one: _rating(rating(one)))


def _rating(rating: Rating | None) -> str:
    return "not rated" if rating is None else f"{rating.elo:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})"


def style_in_words(character: Character) -> str:
    """The two features in which it is farthest above its fellows, and the one in which it is farthest below."""
    ranked = sorted(character.style.items(), key=lambda pair: -pair[1])
    above = [pair for pair in ranked if pair[1] > 0][:2]
    below = [pair for pair in ranked if pair[1] < 0][-1:]
    return ", ".join(f"{name} {value:+.1f}" for name, value in (*above, *below))


def with_results(cast: Cast, calibrated: Sequence[Calibrated]) -> Cast:
    """The cast with what a calibration has found: specs, ratings, and how each differs from its fellows."""
    characters = []
    for character in cast.characters:
        versions = {
            **character.strengths,
            **{c.strength: c.version for c in calibrated if c.character == character.name},
        }
        characters.append(character.model_copy(update={"strengths": versions}))
    return with_styles(cast.model_copy(update={"characters": tuple(characters)}), calibrated)


def with_styles(cast: Cast, calibrated: Sequence[Calibrated]) -> Cast:
    """The cast with styles as these games show them."""
    pictures = _pictures([row for one in calibrated for row in one.rows], cast)
    characters = (
        character.model_copy(update={"style": pictures.get(character.name, character.style)})
        for character in cast.characters
    )
    return cast.model_copy(update={"characters": tuple(characters)})


def _pictures(rows: Sequence[GameRow], cast: Cast) -> dict[str, dict[str, float]]:
    """By character, over all its strengths: differences from the mean of all in standard deviations of a game."""
    if not rows:
        return {}
    named = [GameRow(row.agent.partition(",")[0], row.game, row.features) for row in rows]
    table = matrix(named)
    centre, spread = table.values.mean(axis=0), table.values.std(axis=0)
    off = {
        agent: dict(
            zip(table.features, (table.of(agent).mean(axis=0) - centre) / np.where(spread, spread, 1), strict=True)
        )
        for agent in dict.fromkeys(table.agents)
    }
    stands_for = (_stands_for(one, off[one.name]) for one in cast.characters if one.name in off)
    others = (name for name in most_telling(named) if not name.startswith(NOT_IN_PICTURE))
    wanted = dict.fromkeys((*filter(None, stands_for), *others))
    shown = distinct(list(wanted), table, ALIKE)[:IN_PICTURE]
    return {agent: {name: round(float(own[name]), 2) for name in shown} for agent, own in off.items()}


def _stands_for(character: Character, off: Mapping[str, float]) -> str | None:
    """Of what it likes, the feature that it has most above its fellows; if it likes nothing, what it avoids most. A
    tilt by one kind of actions, as "General", is counted as "colonist: General"."""
    tilts = tilts_in(next(iter(character.strengths.values())).spec)
    likes = [name for name, weight in tilts.items() if weight > 0]
    sign = 1 if likes else -1
    found = {
        feature: sign * off[feature]
        for name in likes or tilts
        for feature in ([name] if name in off else [one for one in off if one.endswith(f": {name}")])
        if not feature.startswith(NOT_IN_PICTURE)
    }
    return max(found, key=lambda feature: found[feature], default=None)


def calibration_report(game: Game, cast: Cast, calibrated: Sequence[Calibrated]) -> Report:
    """Ratings by strength, how far each is from the mean of its fellows, and who is taken for whom."""
    sections: list[Section | str] = []
    data: dict[str, Any] = {"game": game.name, "seats": cast.seats, "strengths": {}}
    for strength in STRENGTHS:
        own = [one for one in calibrated if one.strength == strength and one.version.rating is not None]
        if not own:
            continue
        mean = sum(_elo(one) for one in own) / len(own)
        section = Section(f"{game.title}, {strength}: with {cast.anchors[strength].spec}", _metrics(mean), own)
        sections.append(section)
        entry: dict[str, Any] = {"anchor": cast.anchors[strength].model_dump(), "characters": section.as_json()}
        if len(own) > 1:
            known = recognition([row for one in own for row in one.rows])
            sections.append(recognition_section(known))
            entry["recognition"] = recognition_data(known)
        data["strengths"][strength] = entry
    return Report(sections, data)


def map_report(game: Game, plan: StyleSearch, trials: Sequence[Trial]) -> Report:
    """The map that a search has filled: of each cell, the candidate that is nearest to the wanted strength."""
    found = sorted(elites(trials, plan.target).items())
    metrics = (
        Metric("cell", lambda pair: list(pair[0]), "cell", lambda pair: f"{pair[0][0]}, {pair[0][1]}"),
        Metric(plan.axes[0], lambda pair: pair[1].behaviour[0], plan.axes[0], lambda p: f"{p[1].behaviour[0]:.2f}"),
        Metric(plan.axes[1], lambda pair: pair[1].behaviour[1], plan.axes[1], lambda p: f"{p[1].behaviour[1]:.2f}"),
        Metric("share", lambda pair: pair[1].share, "won", lambda pair: percent(pair[1].share)),
        Metric("games", lambda pair: pair[1].games, "games"),
        Metric("spec", lambda pair: pair[1].spec, "likes", lambda pair: likes_in(pair[1].spec), left=True),
    )
    section = Section(f"{game.title}: {len(found)} of {STEPS**2} cells filled in {len(trials)} trials", metrics, found)
    return Report([section], {"game": game.name, "axes": list(plan.axes), "map": section.as_json()})


def _metrics(mean: float) -> tuple[Metric, ...]:
    def off(one: Calibrated) -> float:
        return round(_elo(one) - mean, 1)

    return (
        Metric("character", lambda one: one.character, "character", left=True),
        Metric("spec", lambda one: one.version.spec),
        Metric("elo", _elo, "rating (95 %)", lambda one: _rating(one.version.rating)),
        Metric("low", lambda one: one.version.rating.low),
        Metric("high", lambda one: one.version.rating.high),
        Metric("games", lambda one: one.version.rating.games, "games"),
        Metric("share", lambda one: one.share, "before the others", lambda one: percent(one.share)),
        Metric(
            "off",
            off,
            "off the mean",
            lambda one: f"{off(one):+.0f}",
            lambda one: "green" if abs(off(one)) <= WANTED else "red",
        ),
    )


def _elo(one: Calibrated) -> float:
    return one.version.rating.elo if one.version.rating is not None else 0.0
