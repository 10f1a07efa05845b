"""Reviews on the page: some decisions of a finished game at a time, so that the page shows how far it is.

Only games that are over are reviewed, and the page has every action of them anyway."""

from __future__ import annotations

from typing import Any

from boardwright.arena.session import positions
from boardwright.coach.analysis import analyse
from boardwright.coach.drill import why
from boardwright.coach.evaluators import evaluator_spec, make_evaluator, needs
from boardwright.coach.narration import Narration
from boardwright.coach.puzzles import Puzzle
from boardwright.coach.review import Decision, accuracy_of, kind_of
from boardwright.kernel import Game
from boardwright.kernel.ready import make_ready
from boardwright.registry import load_game
from boardwright.web.worker import ExplainPuzzle, ReviewMoves


def prepare(game: Game, seats: int) -> None:
    """Compile what judging needs."""
    evaluator = make_evaluator(evaluator_spec(game, seats), game, seats)
    make_ready(needs(evaluator))
    evaluator.close()


def review_moves(job: ReviewMoves) -> list[dict[str, Any]]:
    """The wanted decisions, judged from what their seats knew; moves without a choice are left out."""
    game, line = load_game(job.line.game), job.line
    evaluator = make_evaluator(evaluator_spec(game, line.seats), game, line.seats)
    found = []
    try:
        for number, (state, action) in enumerate(positions(line.start(), line.actions), 1):
            if number not in job.moves or action is None or len(state.legal_actions()) < 2:
                continue
            observation = state.observation(state.player)
            judged = analyse(evaluator, observation, action, evaluator.budget)
            texts = {option: game.describe(observation, option) for option in observation.legal_actions()}
            better = "" if judged.better is None else texts[judged.better]
            decision = Decision(
                number, state.player, kind_of(game, state, action), "", texts[action], better, judged, texts
            )
            sentences: tuple[str, ...] = ()
            if job.explain and judged.is_mistake:
                narration = Narration(evaluator)
                sentences = narration.sentences(decision, observation)
                narration.close()
            found.append(
                {
                    "move": number,
                    "seat": state.player,
                    "kind": decision.kind,
                    "played": decision.text,
                    "better": better,
                    "value": judged.value,
                    "loss": judged.loss,
                    "standard_error": judged.standard_error,
                    "mistake": judged.is_mistake,
                    "accuracy": accuracy_of(judged.proven_loss),
                    "sentences": list(sentences),
                }
            )
    finally:
        evaluator.close()
    return found


def explain_puzzle(job: ExplainPuzzle) -> list[str]:
    """Sentences about a puzzle that was answered."""
    return list(why(Puzzle.model_validate_json(job.puzzle), job.action))
