#!/usr/bin/env python3
"""The smallest bot in Python: plays any game at random. It imports nothing of Boardwright."""

import json
import random
import sys

chance = random.Random()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        chance.seed(message["seed"])
        answer = {"type": "ready", "protocol": 1, "name": "first in Python"}
    elif message["type"] == "decide":
        chosen = chance.choice(message["legal"])
        reasons = [{"action": chosen["action"], "weight": 1 / len(message["legal"]), "note": "by chance"}]
        answer = {"type": "action", "action": chosen["action"], "reasons": reasons}
    else:
        continue
    print(json.dumps(answer), flush=True)
