"""A script that fails: always in the way that its first argument names, or at random in some of its games.

    moody.py WAY [SHARE]    WAY is one of the functions below, or "any"; SHARE of the games fail, default: all

Before it fails it says so on standard error, so that the failures can be counted.
"""

import json
import os
import random
import signal
import sys
import time


def hang():
    time.sleep(600)


def crash():
    os._exit(3)


def kill_itself():
    os.kill(os.getpid(), signal.SIGSEGV)


def garbage():
    print("column 4, please", flush=True)


def binary():
    os.write(1, b"\xff\xfe\x00garbage\n")


def huge_line():
    try:
        while True:
            os.write(1, b"x" * 65536)
    except BrokenPipeError:
        os._exit(1)


def closed_pipe():
    os.close(1)
    time.sleep(600)


def illegal():
    print(json.dumps({"type": "action", "action": 1_000_000}), flush=True)


def twice():
    os.write(1, b'{"type":"ready","protocol":1}\n{"type":"ready","protocol":1}\n')


def fork_bomb():
    """Within the limits: each of four children has four; the orphans among them have sessions of their own."""
    for _ in range(4):
        if os.fork() == 0:
            os.setsid()
            for _ in range(4):
                if os.fork() == 0:
                    os.setsid()
                    time.sleep(600)
            os._exit(0)
    os._exit(4)


def too_many():
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(600)
    time.sleep(600)


WAYS = (hang, crash, kill_itself, garbage, binary, huge_line, closed_pipe, illegal, twice, fork_bomb, too_many)


def main(way, share=1.0):
    chance = random.Random()
    fails_at = decisions = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            chance.seed(message["seed"])
            decisions, fails_at = 0, chance.randrange(1, 4) if chance.random() < float(share) else 0
            print(json.dumps({"type": "ready", "protocol": 1, "name": "moody"}), flush=True)
        elif message["type"] == "decide":
            decisions += 1
            if decisions == fails_at:
                failing = chance.choice([other for other in WAYS if way in ("any", other.__name__)])
                print("failing:", failing.__name__, file=sys.stderr, flush=True)
                failing()
            else:
                action = chance.choice(message["legal"])["action"]
                print(json.dumps({"type": "action", "action": action}), flush=True)


main(*sys.argv[1:])
