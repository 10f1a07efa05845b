#!/usr/bin/env python3
"""A search bot without rules of its own: flat Monte Carlo that thinks through the host, in batches.

For every legal action it asks for sampled positions, plays the action in each, and then at random to the end. It
spreads its playouts over the actions, and chooses the one with the best mean return. Plays any game.
"""

import json
import sys

SAMPLES = 50  # positions per action


def say(message):
    print(json.dumps(message), flush=True)


def ask(*requests):
    say({"type": "ask", "requests": requests})
    answers = json.loads(sys.stdin.readline())["answers"]
    for answer in answers:
        if "error" in answer:
            raise SystemExit(answer["error"])
    return answers


def decide(message, seat):
    actions = [option["action"] for option in message["legal"]]
    worlds = ask({"op": "sample", "count": SAMPLES})[0]["handles"]
    copies = ask({"op": "copy", "handles": worlds * len(actions)})[0]["handles"]  # the same worlds for every action
    played = [action for action in actions for _ in worlds]
    _, ends = ask({"op": "apply", "handles": copies, "actions": played}, {"op": "playout", "handles": copies})
    returns = [values[seat] for values in ends["returns"]]
    means = [sum(returns[i * SAMPLES : (i + 1) * SAMPLES]) / SAMPLES for i in range(len(actions))]
    best = sorted(zip(means, actions, strict=True), reverse=True)
    reasons = [{"action": action, "value": mean, "visits": SAMPLES} for mean, action in best]
    say({"type": "action", "action": best[0][1], "reasons": reasons, "summary": f"{len(copies)} playouts"})


def main():
    seat = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            seat = message["seat"]
            say({"type": "ready", "protocol": 1, "name": "flat search through the host"})
        elif message["type"] == "decide":
            decide(message, seat)


main()
