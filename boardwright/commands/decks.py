"""Constructed decks: check, learn, predict, complete, evaluate, mine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from boardwright.commands.common import (
    HELP,
    Jobs,
    JsonFile,
    PlotFile,
    Seed,
    check_outputs,
    check_plot,
    executor_given,
    publish,
    terminal,
)
from boardwright.errors import BadSpec

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.decks import Deck, DeckGame, DeckTable
    from boardwright.decks.model import DeckModel
    from boardwright.decks.prediction import Observation

app = typer.Typer(
    name="decks",
    help="Constructed decks: predict an opponent's hidden deck, complete your own.",
    no_args_is_help=True,
    context_settings=HELP,
)
DeckFiles = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="NetrunnerDB's JSON, our JSON lines, or plain text lists.")
]
CardsFile = Annotated[
    Path | None, typer.Option("--cards", help="NetrunnerDB's JSON of cards, instead of the cards that ship.")
]
ModelFile = Annotated[
    Path | None, typer.Option("--model", "-m", help="As `decks learn` writes it; default: the one that ships.")
]
Identity = Annotated[
    str, typer.Option("--identity", "-i", help="Title or code of the identity, a part of its title, or its initials.")
]
Seen = Annotated[str, typer.Option(help='Cards, as "2 Corroder, Sure Gamble"; or separated by semicolons.')]
Date = Annotated[str | None, typer.Option(help="When the deck is met, as 2014-08-01; default: unknown.")]
Support = Annotated[float, typer.Option(help="The decks that must contain a rule: a count, or a share below 1.")]


@app.command("check")
def check(files: DeckFiles, cards: CardsFile = None) -> None:
    """Say what is wrong with decks, card by card. The exit code is 0 only if all are legal.

    Example: boardwright decks check deck.txt
    """
    from boardwright.decks import without_duplicates

    game, console = _game(cards), terminal()
    decks, skipped = _read(files, game)
    illegal = len(skipped)
    for message in skipped:
        _say(console, message)
    for deck in decks:
        problems = game.construction.problems(deck)
        illegal += bool(problems)
        if problems or len(decks) == 1:
            verdict = "not legal" if problems else "legal"
            _say(console, f"{deck.source}: {deck.name or game.pool[deck.identity].title}, {deck.size} cards: {verdict}")
        for problem in problems:
            _say(console, f"  {problem}")
    repeated = without_duplicates(decks).repeated
    for deck, earlier in repeated:
        _say(console, f"{deck.source}: the same deck as {earlier.source}")
    total = len(decks) + len(skipped)
    if total > 1:
        _say(console, f"{total - illegal:,} of {total:,} decks are legal, {len(repeated):,} are duplicates")
    if illegal:
        raise typer.Exit(1)


@app.command("learn")
def learn(
    files: DeckFiles,
    out: Annotated[Path, typer.Option(help="Where the model is written.")] = Path("decks.npz"),
    share: Annotated[bool, typer.Option("--share", help="Leave the decks out, to pass the model on.")] = False,
    hidden: Annotated[int, typer.Option(help="Units of the network's hidden layer.", min=1)] = 128,
    epochs: Annotated[int, typer.Option(help="How often the network sees each deck.", min=1)] = 40,
    cards: CardsFile = None,
    seed: Seed = 1,
) -> None:
    """Learn from decks and write a model. Illegal decks and duplicates are left out, and counted.

    Example: boardwright decks learn decks.jsonl --out decks.npz
    """
    import time

    from boardwright.decks.model import DeckModel, ModelSettings
    from boardwright.decks.network import NetworkSettings
    from boardwright.decks.storage import save_model

    check_outputs(out)
    console, game = terminal(), _game(cards)
    table = _table(files, game, console)
    began = time.perf_counter()
    settings = ModelSettings(network=NetworkSettings(hidden=hidden, epochs=epochs, seed=seed), seed=seed)
    model = DeckModel.learn(game, table, settings)
    seconds = time.perf_counter() - began
    save_model(model.without_decks() if share else model, out)
    _say(
        console,
        f"Learned from {len(table):,} decks with {len(table.identities)} identities and {len(table.cards)} cards in"
        f" {seconds:.1f} s; {out} has {out.stat().st_size / 1e6:.1f} MB",
    )


@app.command("predict")
def predict(
    identity: Identity,
    seen: Seen = "",
    size: Annotated[int | None, typer.Option(help="How many cards the deck has; default: unknown.")] = None,
    date: Date = None,
    model: ModelFile = None,
    card_file: CardsFile = None,
    show: Annotated[int, typer.Option(help="How many cards to show.", min=1)] = 30,
    json: JsonFile = None,
) -> None:
    """Predict a hidden deck from its identity and the cards seen so far, with reasons.

    Example: boardwright decks predict --identity Noise --seen "Cache, 2 Aesop's Pawnshop"
    """
    import numpy as np

    from boardwright.decks.reasons import reasons
    from boardwright.decks.storage import load_model
    from boardwright.reports.decks import prediction_report

    check_outputs(json)
    loaded = load_model(model, _game(card_file) if card_file else None)
    observation = _observation(loaded, identity, _cards(seen, loaded), size, date)
    prediction = loaded.prediction(observation)
    likely = np.argsort(-prediction.at_least.sum(1), kind="stable")
    shown = [int(card) for card in likely[:show] if prediction.at_least[card, 0] > 0]
    report = prediction_report(loaded, prediction, reasons(loaded, observation, shown), shown)
    publish(report, terminal(), json, None)


@app.command("complete")
def complete(
    identity: Identity,
    cards: Annotated[
        str, typer.Option("--with", help='Cards it must contain, as "2 Cache, Djinn": with a number, just as many.')
    ] = "",
    size: Annotated[int | None, typer.Option(help="How many cards it has; default: the identity's minimum.")] = None,
    date: Date = None,
    model: ModelFile = None,
    card_file: CardsFile = None,
    out: Annotated[Path | None, typer.Option(help="Write the deck: .jsonl our JSON line, else plain text.")] = None,
    json: JsonFile = None,
) -> None:
    """Complete a deck from an identity and a few cards: legal, influence spent, agenda points in range.

    Example: boardwright decks complete --identity "Blue Sun" --with "3 Oversight AI, 2 Curtain Wall"
    """
    from boardwright.decks.creation import create
    from boardwright.decks.reading import deck_as_json
    from boardwright.decks.storage import load_model
    from boardwright.files import atomic_output
    from boardwright.reports.decks import deck_report

    check_outputs(json, out)
    loaded = load_model(model, _game(card_file) if card_file else None)
    wanted = _cards(cards, loaded)
    smallest = loaded.game.construction.minimum_size(_identity(identity, loaded))
    given = _observation(loaded, identity, wanted, smallest if size is None else size, date)
    exactly = {code for code, number in wanted if number is not None}
    deck = loaded.deck(given, create(loaded, given, exactly=exactly))
    publish(deck_report(loaded, given, deck), terminal(), json, None)
    if out is not None:
        pool = loaded.game.pool
        lines = [pool[deck.identity].title, *(f"{number}x {pool[code].title}" for code, number in deck.cards.items())]
        with atomic_output(out) as temporary:
            content = deck_as_json(deck) if out.suffix in (".json", ".jsonl") else "\n".join(lines)
            temporary.write_text(content + "\n", encoding="utf-8")


@app.command("evaluate")
def evaluate(
    files: DeckFiles,
    algorithms: Annotated[
        str,
        typer.Option(
            "--algorithms", "-a", help="a0 to a7, popular, archetypes, nearest, posterior, network, shared, best."
        ),
    ] = "a0,a1,a2,a3,a4,a5,a6,a7,best",
    folds: Annotated[int, typer.Option(help="Folds of the cross-validation.", min=2)] = 30,
    observed: Annotated[str, typer.Option(help="Cards seen besides the identity; several as 0,5,10.")] = "5",
    learn_from: Annotated[
        Literal["rest", "fold"], typer.Option(help="Learn from all decks but one fold, or from one fold alone.")
    ] = "rest",
    decks: Annotated[int | None, typer.Option(help="How many decks take part; default: all.", min=2)] = None,
    per_fold: Annotated[int | None, typer.Option(help="Decks predicted per fold; default: all.", min=1)] = None,
    test_folds: Annotated[int | None, typer.Option(help="Folds that are predicted; default: all.", min=1)] = None,
    similar: Annotated[
        float | None, typer.Option(help="Leave out training decks that share more than this part.", min=0.0, max=1.0)
    ] = None,
    since: Annotated[str | None, typer.Option(help="Predict decks from this date on, from earlier ones.")] = None,
    every: Annotated[int | None, typer.Option(help="With --since: learn again after so many days.", min=1)] = None,
    dated: Annotated[bool, typer.Option("--dated", help="The date of the hidden deck is known.")] = False,
    unsized: Annotated[bool, typer.Option("--unsized", help="The size of the hidden deck is unknown.")] = False,
    support: Support = 15,
    antecedents: Annotated[int, typer.Option(help="Most cards on the left side of a rule.", min=1)] = 3,
    weight: Annotated[
        Literal["count", "support", "confidence"], typer.Option(help="What an active rule adds to its card.")
    ] = "count",
    fallback: Annotated[
        Literal["popular", "pool"], typer.Option(help="The order of cards without an active rule.")
    ] = "popular",
    copies: Annotated[
        Literal["top_up", "add"], typer.Option(help="Seen cards: filled up to the usual number, or as many added.")
    ] = "top_up",
    cardinality: Annotated[
        Literal["card", "rules"], typer.Option(help="Usual copies: over all decks, or the decks behind each rule.")
    ] = "card",
    identity_in_parts: Annotated[bool, typer.Option(help="a4 to a7: the identity is an item in both parts.")] = True,
    part_antecedents: Annotated[
        Literal["part", "deck"], typer.Option(help="a4 to a7: rules may ask for the same part only, or the whole deck.")
    ] = "deck",
    only_dated: Annotated[bool, typer.Option("--only-dated", help="Leave out decks without a date.")] = False,
    cards: CardsFile = None,
    seed: Seed = 1,
    jobs: Jobs = 1,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Measure predictors by cross-validation, or on later decks.

    Example: boardwright decks evaluate decks.jsonl --algorithms a1,a7,best --folds 30 --plot accuracy.png
    """
    from rich.progress import Progress

    from boardwright.decks.evaluation import Protocol, check_predictors
    from boardwright.decks.evaluation import evaluate as run
    from boardwright.decks.rule_base import RuleSettings
    from boardwright.reports.decks import evaluation_report

    check_plot(plot)
    check_outputs(json, plot)
    names = [name.strip() for name in algorithms.split(",") if name.strip()]
    check_predictors(names)
    protocol = Protocol(
        observed=_numbers(observed),
        folds=folds,
        learn_from=learn_from,
        decks=decks,
        per_fold=per_fold,
        test_folds=test_folds,
        similar=similar,
        since=since,
        every=every,
        dated=dated,
        sized=not unsized,
        seed=seed,
    )
    rules = RuleSettings(
        min_support=support,
        antecedents=antecedents,
        weight=weight,
        fallback=fallback,
        identity_in_parts=identity_in_parts,
        part_antecedents=part_antecedents,
        observed=copies,
        cardinality=cardinality,
        seed=seed,
    )
    console, game = terminal(), _game(cards)
    table = _table(files, game, console, only_dated=only_dated)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("evaluating", total=None)
        scores = run(
            game,
            table,
            names,
            protocol,
            rules=rules,
            executor=executor_given(jobs),
            on_split=lambda done, of: bar.update(task, completed=done, total=of),
        )
    way = f"decks from {since} on" if since else f"{folds} folds, learning from {learn_from}"
    publish(evaluation_report(f"{game.title}: {observed} cards seen, {way}", protocol, scores), console, json, plot)


@app.command("mine")
def mine(
    files: DeckFiles,
    support: Support = 0.02,
    antecedents: Annotated[int, typer.Option(help="Most cards on the left side of a rule.", min=1)] = 2,
    items: Annotated[Literal["set", "multiset"], typer.Option(help="Whether copies are different items.")] = "set",
    part: Annotated[
        Literal["all", "influence", "free"], typer.Option(help="Whole decks, or what costs influence, or the rest.")
    ] = "all",
    show: Annotated[int, typer.Option(help="How many rules to show.", min=1)] = 30,
    cards: CardsFile = None,
    json: JsonFile = None,
) -> None:
    """Mine association rules from decks; those of highest confidence are shown.

    Example: boardwright decks mine decks.jsonl --support 0.05
    """
    from boardwright.decks.mining import Transactions
    from boardwright.decks.prediction import Rulebook
    from boardwright.reports import Metric, Report, Section
    from boardwright.reports.report import percent

    check_outputs(json)
    console, game = terminal(), _game(cards)
    table = _table(files, game, console)
    costly = Rulebook.of(game, table).costly_part(table)
    parts = {"all": None, "influence": costly, "free": ~costly}
    transactions = Transactions.of(table, items, part=parts[part])
    sets = transactions.mine(support, antecedents + 1)
    rules = sorted(transactions.rules(sets), key=lambda rule: (-rule.confidence, -rule.support))

    def name(item: int) -> str:
        if item < len(table.identities):
            return str(game.pool[table.identities[item]].title)
        card, copy = divmod(item - len(table.identities), transactions.copies_per_card)
        return str(game.pool[table.cards[card]].title) + ("" if copy == 0 else f" ({copy + 1})")

    columns = (
        Metric("if", lambda r: [name(i) for i in r.antecedent], "if", lambda r: " + ".join(map(name, r[0])), left=True),
        Metric("then", lambda rule: name(rule.consequent), "then", left=True),
        Metric("support", lambda rule: rule.support, "decks", lambda rule: f"{rule.support:,}"),
        Metric("confidence", lambda rule: rule.confidence, "confidence", lambda rule: percent(rule.confidence)),
    )
    title = f"{len(sets):,} frequent item sets, {len(rules):,} rules of {len(table):,} decks"
    section = Section(title, columns, rules[:show])
    data = {"sets": len(sets), "rules": len(rules), "shown": section.as_json()}
    publish(Report([section], data), console, json, None)


def _say(console: Console, line: str) -> None:
    console.print(line, highlight=False, markup=False, soft_wrap=True)


def _numbers(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise BadSpec(f"--observed {text!r} should be numbers from 0 on, as 5 or 0,5,10")
    return tuple(int(part) for part in parts)


def _game(cards: Path | None) -> DeckGame:
    from boardwright.decks import DeckGame
    from boardwright.decks.netrunner import NetrunnerConstruction, netrunner
    from boardwright.decks.netrunner.netrunnerdb import read_cards

    if cards is None:
        return netrunner()
    pool = read_cards(cards)
    return DeckGame(netrunner().name, netrunner().title, pool, NetrunnerConstruction(pool))


def _read(files: list[Path], game: DeckGame) -> tuple[list[Deck], list[str]]:
    """All decks of some files, and what could not be read."""
    from boardwright.decks import read_decks

    decks: list[Deck] = []
    skipped: list[str] = []
    for file in files:
        decks += read_decks(file, game.pool, skipped=skipped)
    return decks, skipped


def _table(files: list[Path], game: DeckGame, console: Console, *, only_dated: bool = False) -> DeckTable:
    """The legal decks of some files, each once; what is left out is said."""
    from boardwright.decks.collection import read_collection

    collection = read_collection(files, game, only_dated=only_dated)
    if collection.summary:
        _say(console, collection.summary)
    return collection.table


def _identity(name: str, model: DeckModel) -> str:
    code: str = model.game.pool.find_identity(name).code
    return code


def _cards(text: str, model: DeckModel) -> list[tuple[str, int | None]]:
    """Codes and numbers of what the user gives as titles; a list with semicolons may have commas in its titles."""
    from boardwright.decks.reading import find_title, parse_line

    lines = [parse_line(part.strip()) for part in text.split(";" if ";" in text else ",") if part.strip()]
    return [(find_title(title, model.game.pool).code, number) for number, title in lines]


def _observation(
    model: DeckModel, identity: str, cards: list[tuple[str, int | None]], size: int | None, date: str | None
) -> Observation:
    from boardwright.decks.table import day_number

    seen: dict[str, int] = {}
    for code, number in cards:
        seen[code] = seen.get(code, 0) + (1 if number is None else number)
    return model.observation(_identity(identity, model), seen, size, None if date is None else day_number(date))
