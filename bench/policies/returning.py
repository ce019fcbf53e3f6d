#!/usr/bin/env python3
"""How `select: first_unless_corrected` fares when recorded runs had been a little different.

    bench/policies/returning.py RECORDED.jsonl [HONE] [--samples N]

Judges every recorded attempt by its own tests and by the real one (in hone's sandbox), then draws
recordings of the same size from these tasks, changed in one way each, and counts how many tasks a rule
gains and loses against the first attempts. A rule is to lose nothing, so the share of recordings in
which it solves fewer matters more than the mean.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor


def outcomes(hone, folder, code, tests):
    """Whether `code` passes each of the tests."""
    if not tests:
        return []
    (folder / "task.json").write_text(json.dumps({"task": "x", "check": [{"tests": {"run": tests, "timeout": "5s"}}]}))
    (folder / "output.py").write_text(f"```python\n{code}\n```\n")
    done = subprocess.run([hone, "eval", folder / "task.json", "--output", folder / "output.py", "--json"],
                          capture_output=True, text=True)
    if done.returncode not in (0, 100):
        raise SystemExit(done.stderr)
    evaluation = json.loads(done.stdout)
    if evaluation["outcome"] == "passed":
        return [True] * len(tests)
    passed = evaluation["issues"][0]["message"].split("\n\nTests failed:")[0]
    return ["\n" + test in passed for test in tests]


def judged(hone, row):
    """(own tests, real test, code) of each attempt."""
    with tempfile.TemporaryDirectory(prefix="hone-returning-") as name:
        folder = pathlib.Path(name)
        attempts = []
        for attempt in row["attempts"]:
            code = attempt["implementation"]
            own = outcomes(hone, folder, code, row["internal_tests"])
            attempts.append((own, outcomes(hone, folder, code, [row["hidden_test"]])[0], code))
        return attempts


def until_passed(attempts):
    for number, attempt in enumerate(attempts, 1):
        if all(attempt[0]):
            return attempts[:number]
    return attempts


def with_tests(attempts, change):
    return until_passed([(change(own), real, code) for own, real, code in attempts])


def permuted(draw, attempts):
    return until_passed(draw.sample(attempts, len(attempts)))


def fewer_tests(count):
    def change(draw, attempts):
        tests = len(attempts[0][0])
        kept = draw.sample(range(tests), min(count, tests))
        return with_tests(attempts, lambda own: [own[i] for i in kept])
    return change


def wrong_tests(share):
    """A test that says the contrary does so of every attempt."""
    def change(draw, attempts):
        wrong = [draw.random() < share for _ in attempts[0][0]]
        return with_tests(attempts, lambda own: [passed != w for passed, w in zip(own, wrong)])
    return change


def flaky_tests(share):
    def change(draw, attempts):
        return with_tests(attempts, lambda own: [passed != (draw.random() < share) for passed in own])
    return change


CHANGES = {
    "as recorded": lambda draw, attempts: attempts, "attempts permuted": permuted,
    "4 tests": fewer_tests(4), "3 tests": fewer_tests(3), "2 tests": fewer_tests(2), "1 test": fewer_tests(1),
    "5 % of tests wrong": wrong_tests(0.05), "20 % of tests wrong": wrong_tests(0.2),
    "5 % of results flaky": flaky_tests(0.05), "20 % of results flaky": flaky_tests(0.2),
}


def rule(share=1.0, failing=1, latest=1):
    """Which attempt is returned: a retry that passes all, no later than `latest`, of a first in doubt."""
    def returned(attempts):
        own = attempts[0][0]
        if not own or sum(own) / len(own) >= share or own.count(False) < failing:
            return 0
        return next((i for i, a in enumerate(attempts[:latest + 1]) if i and all(a[0])), 0)
    return returned


RULES = {"any that passes": rule(latest=1000), "the second": rule(), "in doubt": rule(0.75),
         "first_unless_corrected": rule(0.75, failing=2), "below half": rule(0.5, failing=2)}


def gained(returned, tasks):
    gain = loss = 0
    for attempts in tasks:
        chosen, first = attempts[returned(attempts)], attempts[0]
        gain += chosen[1] and not first[1]
        loss += first[1] and not chosen[1]
    return gain, loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("hone", nargs="?", default="build/hone")
    parser.add_argument("--samples", type=int, default=400)
    options = parser.parse_args()
    rows = [json.loads(line) for line in open(options.file) if line.strip()]
    with ThreadPoolExecutor(2) as pool:
        tasks = list(pool.map(lambda row: judged(options.hone, row), rows))
    print(f"{len(tasks)} tasks, {sum(t[0][1] for t in tasks)} first attempts right")
    print(f"{'':24}{'rule':26}{'gained':>8}{'lost':>8}{'fewer solved in':>17}{'worst':>7}")
    for change_name, change in CHANGES.items():
        draw = random.Random(1)
        drawn = [[change(draw, draw.choice(tasks)) for _ in tasks] for _ in range(options.samples)]
        for name, returned in RULES.items():
            counts = [gained(returned, sample) for sample in drawn]
            gain, loss = (sum(c[i] for c in counts) / len(counts) for i in (0, 1))
            worse = sum(g < l for g, l in counts) / len(counts)
            print(f"{change_name:24}{name:26}{gain:8.2f}{loss:8.2f}{worse:16.1%} {min(g - l for g, l in counts):6}")


if __name__ == "__main__":
    main()
