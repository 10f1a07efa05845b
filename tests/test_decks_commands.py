"""`boardwright decks …` and the experiments about decks, on made-up collections."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardwright.cli import app
from boardwright.decks import BadDeck, BadDeckModel, UnknownCard
from boardwright.decks.reading import deck_as_json
from boardwright.errors import BadSpec, UnknownName
from tests.made_up_decks import made_up_decks


@pytest.fixture
def deck_file(tmp_path: Path) -> Path:
    file = tmp_path / "decks.jsonl"
    file.write_text("".join(deck_as_json(deck) + "\n" for deck in made_up_decks()))
    return file


def run(*arguments: object) -> object:
    return CliRunner().invoke(app, ["decks", *map(str, arguments)])


def test_check_tells_legal_decks_from_others(tmp_path: Path, deck_file: Path) -> None:
    legal = run("check", deck_file)
    assert legal.exit_code == 0
    assert "210 of 210 decks are legal, 0 are duplicates" in legal.output
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("Noise\n4x Sure Gamble\n1x Hedge Fund\n")
    result = run("check", wrong)
    assert result.exit_code == 1
    for line in ("4 copies; at most 3", "Hedge Fund: a corp card in a runner deck", "5 cards; Noise"):
        assert line in result.output


def test_check_finds_duplicates(tmp_path: Path) -> None:
    file = tmp_path / "twice.jsonl"
    file.write_text((deck_as_json(made_up_decks()[0]) + "\n") * 2)
    assert f"{file}, line 2: the same deck as {file}, line 1" in run("check", file).output


def test_learn_predict_and_complete(tmp_path: Path, deck_file: Path) -> None:
    model, told = tmp_path / "model.npz", tmp_path / "told.json"
    learned = run("learn", deck_file, "--out", model, "--hidden", 16, "--epochs", 5)
    assert "Learned from 210 decks with 7 identities" in learned.output
    given = ", ".join(list(made_up_decks()[0].cards)[:2])
    assert run("predict", "-i", "noise", "--seen", given, "--model", model, "--json", told).exit_code == 0
    found = json.loads(told.read_text())
    assert sum(card["predicted"] for card in found["cards"]) > 0
    assert found["nearest_decks"]
    assert 0 < found["expected_accuracy"] < 1
    deck = tmp_path / "deck.txt"
    assert run("complete", "-i", "noise", "--with", given, "--model", model, "--out", deck).exit_code == 0
    assert run("check", deck).exit_code == 0


def test_the_shipped_model_works_out_of_the_box(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    result = run("predict", "--identity", "Noise", "--seen", "Cache, 2 Aesop's Pawnshop", "--json", told)
    assert result.exit_code == 0, result.output
    found = json.loads(told.read_text())
    assert found["nearest_decks"] == [], "deck lists do not ship"
    chance = {card["card"]: card["at_least"][0] for card in found["cards"]}
    assert chance["Datasucker"] > 0.8
    assert chance["Cache"] == 1.0


@pytest.mark.parametrize(("name", "card"), [("Kate", "01033"), ("Andy", "02083"), ("etf", "01054"), ("NEH", "06005")])
def test_identities_have_nicknames(tmp_path: Path, name: str, card: str) -> None:
    told = tmp_path / "told.json"
    assert run("predict", "--identity", name, "--json", told).exit_code == 0
    assert json.loads(told.read_text())["identity"] == card


def test_a_number_of_copies_is_kept(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    for given, copies in (("2 Datasucker", 2), ("1 Datasucker", 1), ("Datasucker", 3)):
        assert run("complete", "--identity", "Noise", "--with", given, "--json", told).exit_code == 0
        assert json.loads(told.read_text())["cards"]["01008"] == copies, given


def test_what_no_known_deck_has_is_said(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    result = run("predict", "--identity", "Mercury", "--seen", "2 Sure Gamble, Boomerang", "--json", told)
    assert result.exit_code == 0, result.output
    assert "No known deck has Mercury: Chrome Libertador, Boomerang" in " ".join(result.output.split())
    found = {card["card"]: card for card in json.loads(told.read_text())["cards"]}
    assert (found["Boomerang"]["seen"], found["Boomerang"]["at_least"]) == (1, [1.0, 0.0, 0.0])
    assert found["Sure Gamble"]["at_least"][:2] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("identity", "given"),
    [
        ("Noise: Hacker Extraordinaire", "Cache, Djinn, Virus Breeding Ground"),
        ("The Foundry: Refining the Process", "NEXT Bronze, Project Vitruvius, Eli 1.0"),
        ("Quetzal: Free Spirit", "Parasite, Medium, Datasucker"),
        ("Leela Patel: Trained Pragmatist", "Account Siphon, Inside Job, Emergency Shutdown"),
        ("Blue Sun: Powering the Future", "Oversight AI, Curtain Wall, Project Atlas"),
    ],
)
def test_the_five_printed_identities_get_legal_decks_that_spend_all_influence(
    tmp_path: Path, identity: str, given: str
) -> None:
    told, deck = tmp_path / "told.json", tmp_path / "deck.jsonl"
    result = run("complete", "--identity", identity, "--with", given, "--json", told, "--out", deck)
    assert result.exit_code == 0, result.output
    assert run("check", deck).exit_code == 0
    assert json.loads(told.read_text())["influence"] == 15


def test_evaluate_writes_figures_and_a_plot(tmp_path: Path, deck_file: Path) -> None:
    told, plot = tmp_path / "told.json", tmp_path / "plot.png"
    result = run(
        "evaluate", deck_file, "--algorithms", "a1,popular", "--folds", 3, "--per-fold", 5, "--observed", "0,5",
        "--support", 5, "--json", told, "--plot", plot,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    scores = json.loads(told.read_text())["scores"]
    assert [(s["predictor"], s["observed"]) for s in scores] == [("a1", 0), ("popular", 0), ("a1", 5), ("popular", 5)]
    assert all(score["decks"] == 15 for score in scores)
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_mine_shows_rules(tmp_path: Path, deck_file: Path) -> None:
    told = tmp_path / "told.json"
    assert run("mine", deck_file, "--support", 0.1, "--json", told).exit_code == 0
    found = json.loads(told.read_text())
    confidences = [rule["confidence"] for rule in found["shown"]]
    assert len(confidences) == 30 <= found["rules"]
    assert confidences == sorted(confidences, reverse=True)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (("predict", "-i", "Nois"), UnknownCard, "did you mean"),
        (("predict", "-i", "Jinteki"), UnknownCard, "may be Jinteki: Personal Evolution or Jinteki: Replicating"),
        (("predict", "-i", "Noise", "--seen", "4 Cache"), BadDeck, "4 copies of Cache"),
        (("predict", "-i", "Noise", "--seen", "Whizzard"), BadDeck, "two identities"),
        (("predict", "-i", "Noise", "--seen", "3 Account Siphon, 3 Desperado"), BadDeck, "21 influence"),
        (("predict", "-i", "Noise", "--seen", "0 Cache"), BadDeck, "0 copies of Cache"),
        (("predict", "-i", "Noise", "--seen", "9" * 20 + " Cache"), UnknownCard, "unknown card '999"),
        (("predict", "-i", "Noise", "--seen", "999999 Cache"), BadDeck, "999999 copies of Cache"),
        (("predict", "-i", "Noise", "--seen", "Hedge Fund"), BadDeck, "cannot have Hedge Fund"),
        (("predict", "-i", "Noise", "--size", "10"), BadDeck, "needs at least 45"),
        (("predict", "-i", "Noise", "--size", "100000"), BadDeck, "a deck of 100000 cards is impossible"),
        (("predict", "-i", "Xyz"), UnknownCard, "unknown identity 'Xyz'"),
        (("predict", "-i", "Sure Gamble"), BadDeck, "no identity"),
        (("predict", "-i", "Noise", "--date", "yesterday"), BadDeck, "is no date"),
        (("predict", "-i", "Noise", "--model", "missing.npz"), BadDeckModel, "there is no model"),
        (("learn", "missing.jsonl"), BadDeck, "there is no file"),
        (("evaluate", "missing.jsonl", "-a", "a9"), UnknownName, "unknown predictor 'a9'"),
        (("evaluate", "missing.jsonl", "--observed", "five"), BadSpec, "numbers from 0 on"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: tuple[str, ...], kind: type[Exception], message: str) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, kind), result.output
    assert message in str(result.exception)
    assert "\n" not in str(result.exception)


def test_a_collection_without_legal_decks_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "decks.jsonl"
    file.write_text('{"identity": "01001", "cards": {"01050": 3}}\n{"cards": {"01050": 3}}\n')
    result = run("learn", file, "--out", tmp_path / "model.npz")
    assert isinstance(result.exception, BadDeck)
    assert "1 unreadable, 1 illegal" in str(result.exception)
    assert not (tmp_path / "model.npz").exists()
