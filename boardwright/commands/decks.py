"""Constructed decks: check, learn, predict, complete, evaluate, mine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from boardwright.commands.common import check_outputs, check_plot, executor_given, publish
from boardwright.commands.declared import group
from boardwright.errors import BadSpec
from boardwright.settings import Checked, argument, option, required

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.decks import Deck, DeckGame, DeckTable
    from boardwright.decks.deck import Problem
    from boardwright.decks.evaluation import Protocol
    from boardwright.decks.model import DeckModel
    from boardwright.decks.prediction import Observation
    from boardwright.decks.rule_base import RuleSettings
    from boardwright.reports import Report

CARDS = "NetrunnerDB's JSON of cards, instead of the cards that ship."
DECK_FILES = "NetrunnerDB's JSON, our JSON lines, or plain text lists."
SUPPORT = "The decks that must contain a rule: a count, or a share below 1."
ANTECEDENTS = "Most cards on the left side of a rule."


class CheckedDecks(NamedTuple):
    decks: list[tuple[Deck, list[Problem]]]
    """Each deck that can be read, with its problems."""
    unreadable: list[str]
    """What is wrong with the others."""


class CheckDecks(Checked):
    """Say what is wrong with decks, card by card. The exit code is 0 only if all are legal.

    Example: boardwright decks check deck.txt
    """

    files: list[Path] = argument(DECK_FILES, "FILE...")
    cards: Path | None = option(None, CARDS)

    def run(self, console: Console) -> CheckedDecks:
        """The decks that can be read, each with its problems, and what could not be read."""
        from boardwright.decks import without_duplicates

        game = _game(self.cards)
        decks, skipped = _read(self.files, game)
        checked = [(deck, game.construction.problems(deck)) for deck in decks]
        for message in skipped:
            _show(console, message)
        for deck, problems in checked:
            if problems or len(decks) == 1:
                verdict = "not legal" if problems else "legal"
                name = deck.name or game.pool[deck.identity].title
                _show(console, f"{deck.source}: {name}, {deck.size} cards: {verdict}")
            for problem in problems:
                _show(console, f"  {problem}")
        repeated = without_duplicates(decks).repeated
        for deck, earlier in repeated:
            _show(console, f"{deck.source}: the same deck as {earlier.source}")
        illegal, total = len(skipped) + sum(bool(problems) for _, problems in checked), len(decks) + len(skipped)
        if total > 1:
            _show(console, f"{total - illegal:,} of {total:,} decks are legal, {len(repeated):,} are duplicates")
        return CheckedDecks(checked, skipped)

    def exit_code(self, result: CheckedDecks) -> int:
        return int(bool(result.unreadable) or any(problems for _, problems in result.decks))


class LearnDecks(Checked):
    """Learn from decks and write a model. Illegal decks and duplicates are left out, and counted.

    Example: boardwright decks learn decks.jsonl --out decks.npz
    """

    files: list[Path] = argument(DECK_FILES, "FILE...")
    out: Path = option(Path("decks.npz"), "Where the model is written.")
    share: bool = option(False, "Leave the decks out, to pass the model on.", "--share")
    hidden: int = option(128, "Units of the network's hidden layer.", minimum=1)
    epochs: int = option(40, "How often the network sees each deck.", minimum=1)
    cards: Path | None = option(None, CARDS)
    seed: int = option(1, "The same seed gives the same model.", "-s")

    def run(self, console: Console) -> DeckModel:
        """The model, with its decks."""
        import time

        from boardwright.decks.model import DeckModel, ModelSettings
        from boardwright.decks.network import NetworkSettings
        from boardwright.decks.storage import save_model

        check_outputs(self.out)
        game = _game(self.cards)
        table = _table(self.files, game, console)
        began = time.perf_counter()
        network = NetworkSettings(hidden=self.hidden, epochs=self.epochs, seed=self.seed)
        model = DeckModel.learn(game, table, ModelSettings(network=network, seed=self.seed))
        seconds = time.perf_counter() - began
        save_model(model.without_decks() if self.share else model, self.out)
        _show(
            console,
            f"Learned from {len(table):,} decks with {len(table.identities)} identities and {len(table.cards)} cards in"
            f" {seconds:.1f} s; {self.out} has {self.out.stat().st_size / 1e6:.1f} MB",
        )
        return model


class _WithModel(Checked):
    """What prediction and completion have in common."""

    identity: str = required("Title or code of the identity, a part of its title, or its initials.", "--identity", "-i")
    date: str | None = option(None, "When the deck is met, as 2014-08-01; default: unknown.")
    model: Path | None = option(None, "As `decks learn` writes it; default: the one that ships.", "--model", "-m")
    card_file: Path | None = option(None, CARDS, "--cards")
    json: Path | None = option(None, "Write the result as JSON.")

    def load(self) -> DeckModel:
        from boardwright.decks.storage import load_model

        return load_model(self.model, _game(self.card_file) if self.card_file else None)


class PredictDeck(_WithModel):
    """Predict a hidden deck from its identity and the cards seen so far, with reasons.

    Example: boardwright decks predict --identity Noise --seen "Cache, 2 Aesop's Pawnshop"
    """

    seen: str = option("", 'Cards, as "2 Corroder, Sure Gamble"; or separated by semicolons.')
    size: int | None = option(None, "How many cards the deck has; default: unknown.")
    show: int = option(30, "How many cards to show.", minimum=1)

    def run(self, console: Console) -> Report:
        """The most likely cards, with reasons."""
        import numpy as np

        from boardwright.decks.reasons import reasons
        from boardwright.reports.decks import prediction_report

        check_outputs(self.json)
        loaded = self.load()
        observation = _observation(loaded, self.identity, _cards(self.seen, loaded), self.size, self.date)
        prediction = loaded.prediction(observation)
        likely = np.argsort(-prediction.at_least.sum(1), kind="stable")
        shown = [int(card) for card in likely[: self.show] if prediction.at_least[card, 0] > 0]
        report = prediction_report(loaded, prediction, reasons(loaded, observation, shown), shown)
        publish(report, console, self.json, None)
        return report


class CompleteDeck(_WithModel):
    """Complete a deck from an identity and a few cards: legal, influence spent, agenda points in range.

    Example: boardwright decks complete --identity "Blue Sun" --with "3 Oversight AI, 2 Curtain Wall"
    """

    cards: str = option("", 'Cards it must contain, as "2 Cache, Djinn": with a number, just as many.', "--with")
    size: int | None = option(None, "How many cards it has; default: the identity's minimum.")
    out: Path | None = option(None, "Write the deck: .jsonl our JSON line, else plain text.")

    def run(self, console: Console) -> Deck:
        """The deck."""
        from boardwright.decks.creation import create
        from boardwright.decks.reading import deck_as_json
        from boardwright.files import atomic_output
        from boardwright.reports.decks import deck_report

        check_outputs(self.json, self.out)
        loaded = self.load()
        wanted = _cards(self.cards, loaded)
        smallest = loaded.game.construction.minimum_size(_identity(self.identity, loaded))
        size = smallest if self.size is None else self.size
        given = _observation(loaded, self.identity, wanted, size, self.date)
        exactly = {code for code, number in wanted if number is not None}
        deck = loaded.deck(given, create(loaded, given, exactly=exactly))
        publish(deck_report(loaded, given, deck), console, self.json, None)
        if self.out is not None:
            pool = loaded.game.pool
            lines = [pool[deck.identity].title]
            lines += [f"{number}x {pool[code].title}" for code, number in deck.cards.items()]
            with atomic_output(self.out) as temporary:
                content = deck_as_json(deck) if self.out.suffix in (".json", ".jsonl") else "\n".join(lines)
                temporary.write_text(content + "\n", encoding="utf-8")
        return deck


class EvaluateDecks(Checked):
    """Measure predictors by cross-validation, or on later decks.

    Example: boardwright decks evaluate decks.jsonl --algorithms a1,a7,best --folds 30 --plot accuracy.png
    """

    files: list[Path] = argument(DECK_FILES, "FILE...")
    algorithms: str = option(
        "a0,a1,a2,a3,a4,a5,a6,a7,best",
        "a0 to a7, popular, archetypes, nearest, posterior, network, shared, best.",
        "-a",
    )
    folds: int = option(30, "Folds of the cross-validation.", minimum=2)
    observed: str = option("5", "Cards seen besides the identity; several as 0,5,10.")
    learn_from: Literal["rest", "fold"] = option("rest", "Learn from all decks but one fold, or from one fold alone.")
    decks: int | None = option(None, "How many decks take part; default: all.", minimum=2)
    per_fold: int | None = option(None, "Decks predicted per fold; default: all.", minimum=1)
    test_folds: int | None = option(None, "Folds that are predicted; default: all.", minimum=1)
    similar: float | None = option(
        None, "Leave out training decks that share more than this part.", minimum=0.0, maximum=1.0
    )
    since: str | None = option(None, "Predict decks from this date on, from earlier ones.")
    every: int | None = option(None, "With --since: learn again after so many days.", minimum=1)
    dated: bool = option(False, "The date of the hidden deck is known.", "--dated")
    unsized: bool = option(False, "The size of the hidden deck is unknown.", "--unsized")
    support: float = option(15, SUPPORT)
    antecedents: int = option(3, ANTECEDENTS, minimum=1)
    weight: Literal["count", "support", "confidence"] = option("count", "What an active rule adds to its card.")
    fallback: Literal["popular", "pool"] = option("popular", "The order of cards without an active rule.")
    copies: Literal["top_up", "add"] = option("top_up", "Seen cards: filled up to the usual number, or as many added.")
    cardinality: Literal["card", "rules"] = option(
        "card", "Usual copies: over all decks, or the decks behind each rule."
    )
    identity_in_parts: bool = option(
        True, "a4 to a7: the identity is an item in both parts.", "--identity-in-parts/--no-identity-in-parts"
    )
    part_antecedents: Literal["part", "deck"] = option(
        "deck", "a4 to a7: rules may ask for the same part only, or the whole deck."
    )
    only_dated: bool = option(False, "Leave out decks without a date.", "--only-dated")
    cards: Path | None = option(None, CARDS)
    seed: int = option(1, "The same seed gives the same result.", "-s")
    jobs: int = option(1, "Processes to work in; 0: one for each core.", "-j")
    json: Path | None = option(None, "Write the result as JSON.")
    plot: Path | None = option(None, "Draw the result: .png, .svg or .pdf.")

    def run(self, console: Console) -> Report:
        """How right each predictor is."""
        from rich.progress import Progress

        from boardwright.decks.evaluation import check_predictors, evaluate
        from boardwright.reports.decks import evaluation_report

        check_plot(self.plot)
        check_outputs(self.json, self.plot)
        names = [name.strip() for name in self.algorithms.split(",") if name.strip()]
        check_predictors(names)
        protocol, game = self._protocol(), _game(self.cards)
        table = _table(self.files, game, console, only_dated=self.only_dated)
        with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
            task = bar.add_task("evaluating", total=None)
            scores = evaluate(
                game,
                table,
                names,
                protocol,
                rules=self._rules(),
                executor=executor_given(self.jobs),
                on_split=lambda done, of: bar.update(task, completed=done, total=of),
            )
        way = f"decks from {self.since} on" if self.since else f"{self.folds} folds, learning from {self.learn_from}"
        report = evaluation_report(f"{game.title}: {self.observed} cards seen, {way}", protocol, scores)
        publish(report, console, self.json, self.plot)
        return report

    def _protocol(self) -> Protocol:
        from boardwright.decks.evaluation import Protocol

        same = ("folds", "learn_from", "decks", "per_fold", "test_folds", "similar", "since", "every", "dated", "seed")
        given = {name: getattr(self, name) for name in same}
        return Protocol(observed=_numbers(self.observed), sized=not self.unsized, **given)

    def _rules(self) -> RuleSettings:
        from boardwright.decks.rule_base import RuleSettings

        same = ("antecedents", "weight", "fallback", "identity_in_parts", "part_antecedents", "cardinality", "seed")
        given = {name: getattr(self, name) for name in same}
        return RuleSettings(min_support=self.support, observed=self.copies, **given)


class MineDecks(Checked):
    """Mine association rules from decks; those of highest confidence are shown.

    Example: boardwright decks mine decks.jsonl --support 0.05
    """

    files: list[Path] = argument(DECK_FILES, "FILE...")
    support: float = option(0.02, SUPPORT)
    antecedents: int = option(2, ANTECEDENTS, minimum=1)
    items: Literal["set", "multiset"] = option("set", "Whether copies are different items.")
    part: Literal["all", "influence", "free"] = option("all", "Whole decks, or what costs influence, or the rest.")
    show: int = option(30, "How many rules to show.", minimum=1)
    cards: Path | None = option(None, CARDS)
    json: Path | None = option(None, "Write the result as JSON.")

    def run(self, console: Console) -> Report:
        """The rules of highest confidence."""
        from boardwright.decks.mining import Transactions
        from boardwright.decks.prediction import Rulebook
        from boardwright.reports.decks import rules_report

        check_outputs(self.json)
        game = _game(self.cards)
        table = _table(self.files, game, console)
        costly = Rulebook.of(game, table).costly_part(table)
        parts = {"all": None, "influence": costly, "free": ~costly}
        transactions = Transactions.of(table, self.items, part=parts[self.part])
        sets = transactions.mine(self.support, self.antecedents + 1)
        report = rules_report(game, table, transactions, sets, self.show)
        publish(report, console, self.json, None)
        return report


app = group(
    {
        "check": CheckDecks,
        "learn": LearnDecks,
        "predict": PredictDeck,
        "complete": CompleteDeck,
        "evaluate": EvaluateDecks,
        "mine": MineDecks,
    }
)


def _show(console: Console, line: str) -> None:
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
    """The legal decks of some files, each once; what is left out is reported."""
    from boardwright.decks.collection import read_collection

    collection = read_collection(files, game, only_dated=only_dated)
    if collection.summary:
        _show(console, collection.summary)
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
