#!/usr/bin/env python3
"""Runs the demo's task many times, beside the same number of plain samples without feedback.

    python3 bench/demo_runs.py build/hone [RUNS]

For each run of the loop that made k attempts, k samples are drawn by runs of one attempt, which no
reason for rejection ever reaches; they count as accepted when any of them is.
"""

import json
import subprocess
import sys
import time

TASK = "examples/order/task.yaml"


def run(hone, *flags):
    started = time.monotonic()
    done = subprocess.run([hone, "run", TASK, "--json", "-q", *flags], capture_output=True, text=True)
    if done.returncode not in (0, 100):
        sys.exit(done.stderr)
    return json.loads(done.stdout), time.monotonic() - started


def main():
    hone, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
    accepted = sampled = first = 0
    print("run  attempts  accepted  seconds   samples accepted  seconds")
    for number in range(1, runs + 1):
        result, seconds = run(hone)
        attempts = len(result["attempts"])
        samples = [run(hone, "-n", "1") for _ in range(attempts)]
        good = sum(sample["success"] for sample, _ in samples)
        accepted += result["success"]
        sampled += good > 0
        first += result["attempts"][0]["evaluation"]["outcome"] == "passed"
        print(f"{number:3}  {attempts:8}  {'yes' if result['success'] else 'no':8}  {seconds:7.1f}   "
              f"{good} of {attempts:<11}  {sum(s for _, s in samples):7.1f}", flush=True)
    print(f"loop: {accepted} of {runs} accepted, {first} at once; as many plain samples: {sampled} of {runs}")


if __name__ == "__main__":
    main()
