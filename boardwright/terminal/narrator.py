"""What happens in a game, as text for people at the terminal: no secrets of others, and each when it is revealed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.markup import escape

from boardwright.agents import Agent, Decision
from boardwright.agents.characters import called
from boardwright.arena.loop import Forfeit, Listener, Substitution, forfeit_returns, forfeit_scores
from boardwright.arena.standings import ranks
from boardwright.blame import printable
from boardwright.kernel import Game, Observation, State
from boardwright.terminal.human import Step
from boardwright.terminal.reasons import reasons_table
from boardwright.terminal.revealing import Secret, Secrets, public_actions
from boardwright.terminal.screen import show_open_position


class Narrator(Listener):
    def __init__(
        self, console: Console, specs: Sequence[str], explain: bool, quiet: Callable[[], bool] = lambda: False
    ) -> None:
        self._console = console
        self._specs = specs
        self._explain = explain
        self._quiet = quiet
        """Whether what happens is known already."""
        self._people: set[int] = set()
        self._secrets: Secrets | None = None
        self._seen: Observation | None = None
        self._kept_secret: int | None = None  # the seat whose secret choice was told last, if nothing was since

    def started(self, state: State, agents: Sequence[Agent]) -> None:
        self._people = {seat for seat, agent in enumerate(agents) if agent.interactive}
        self._specs = [called(spec, state.game) for spec in self._specs]
        if len(self._people) == 1:  # several people share a screen
            self._secrets = Secrets(*self._people)
            self._specs = ["you" if seat in self._people else spec for seat, spec in enumerate(self._specs)]

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        secret = self._secrets is not None and self._secrets.decided(state, seat, observation, decision)
        self._seen = state.observation(self._secrets.viewer) if self._secrets is not None else None
        if self._quiet():
            return
        if decision.forced and seat in self._people:
            self._print_choice(state, seat, f"{_text(state, decision)} (your only choice)")
            return
        if not secret:
            self._show_reasons(state, seat, observation, decision)
        if secret:
            self._print_secret_choice(state, seat)
        elif not isinstance(decision, Step):
            self._print_choice(state, seat, _text(state, decision))
        elif decision.description:
            self._print_choice(state, seat, decision.description)

    def applied(self, state: State, seat: int, action: int) -> None:
        """What comes to light with an action: choices that others made in secret before."""
        if self._secrets is None or self._seen is None:
            return
        lines = state.game.revealed(self._seen, state.observation(self._secrets.viewer))
        revealed = self._secrets.applied(state, action)
        if self._quiet():
            return
        for line in lines:
            self._kept_secret = None
            self._console.print(f"[dim]→[/] {escape(line)}", highlight=False)
        for secret in revealed:
            self._reveal(secret)

    def taken_back(self, state: State, moves: int) -> None:
        if self._secrets is not None:
            self._secrets.taken_back()
        if not moves:
            self._console.print("[dim]nothing to take back[/]")

    def ended(self, state: State) -> None:
        if self._secrets is not None and self._explain:
            self._print_remaining_secrets(self._secrets)
        show_open_position(state, min(self._people, default=0), "the end", self._console)
        self._console.print(result_line(state.game, state.returns, state.scores, self._specs))

    def substituted(self, state: State, substitution: Substitution) -> None:
        self._print_choice(
            state, substitution.seat, f"failed ({printable(substitution.reason)}); a random action is played for it"
        )

    def forfeited(self, state: State, forfeit: Forfeit) -> None:
        returns, scores = forfeit_returns(state, forfeit.seat), forfeit_scores(state, forfeit.seat)
        show_open_position(state, min(self._people, default=0), "the end", self._console)
        self._console.print(forfeit_line(state.game, forfeit.seat, forfeit.reason, self._specs))
        self._console.print(result_line(state.game, returns, scores, self._specs))

    def _print_secret_choice(self, state: State, seat: int) -> None:
        """That somebody chose in secret; once, where one such choice follows another."""
        if self._kept_secret != seat:
            self._print_choice(state, seat, "makes a choice you cannot see")
        self._kept_secret = seat

    def _print_choice(self, state: State, seat: int, what: str) -> None:
        self._kept_secret = None
        who = f"[bold]{state.game.seat_name(seat)}[/] [dim]({escape(self._specs[seat])})[/]"
        self._console.print(f"{who}: {escape(what)}", highlight=False)

    def _reveal(self, secret: Secret) -> None:
        """A game that describes itself what is revealed has done so already."""
        if secret.before.game.text.revealed is None:
            self._print_choice(secret.before, secret.seat, f"had chosen: {_text(secret.before, secret.decision)}")
        self._show_reasons(secret.before, secret.seat, secret.observation, secret.decision)

    def _show_reasons(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        """Why, if that is wanted; options that the person may not know of are counted, not named."""
        if not self._explain or seat in self._people or decision.forced or not decision.reasons:
            return
        shown, hidden = decision, 0
        if self._secrets is not None:
            viewer = state.observation(self._secrets.viewer)
            known = {*public_actions(viewer, [reason.action for reason in decision.reasons]), decision.action}
            reasons = tuple(reason for reason in decision.reasons if reason.action in known)
            hidden = len(decision.reasons) - len(reasons)
            shown = Decision(decision.action, reasons, decision.summary)
        title, width = f"{self._specs[seat]} thinks", self._console.width
        self._console.print(reasons_table(state.game, observation, shown, title=title, width=width))
        if hidden:
            self._console.print(f"[dim]and {hidden} more that would tell you its cards[/]", highlight=False)

    def _print_remaining_secrets(self, secrets: Secrets) -> None:
        description = [secret for secret in (*secrets.for_good, *secrets.kept) if not secret.decision.forced]
        if description:
            self._console.print("[bold]What stayed secret:[/]")
        for secret in description:
            best = next((r for r in secret.decision.reasons if r.action == secret.decision.action), None)
            why = "" if best is None or best.value is None else f", expecting {best.value:+.3f}"
            self._print_choice(secret.before, secret.seat, f"{_text(secret.before, secret.decision)}{why}")


def _text(state: State, decision: Decision) -> str:
    return state.game.describe(state, int(decision.action))


def forfeit_line(game: Game, seat: int, reason: str, specs: Sequence[str]) -> str:
    """Who failed, and how."""
    return f"[bold]{game.seat_name(seat)}[/] ({escape(printable(specs[seat]))}) forfeits: {escape(printable(reason))}"


def result_line(game: Game, returns: Sequence[float], scores: Sequence[float], specs: Sequence[str]) -> str:
    """Who won, and the scores."""
    winners = [seat for seat, place in enumerate(ranks(returns)) if place == 1]
    verdict = f"{game.seat_name(winners[0])} ({printable(specs[winners[0]])}) wins" if winners else "A draw"
    points = ", ".join(f"{game.seat_name(seat)}: {score:g}" for seat, score in enumerate(scores))
    return f"[bold green]{escape(verdict)}.[/] Scores: {escape(points)}."
