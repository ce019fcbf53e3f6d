#!/usr/bin/env python3
"""Compares ways to revise on checkable tasks, at the same number of model calls.

    python3 bench/policies/compare.py build/hone [--model local] [--seeds 3] [--calls 5]
            [--policies regenerate,hybrid] [--tasks slugify,roman] [--minutes 30] [--results FILE]

Each pair of task and seed is run once for each policy; generation has the same seed, so all policies
start from the same first attempt, and where that passes one run serves for all. `samples` is the
comparison without a loop: as many independent attempts as the others may make calls. Every result is
kept at once: started again, the program goes on where it was stopped, and only prints the table when
nothing is left to do. Exit code 1 if a run failed, 3 if time ran out before all was done.
"""

import argparse
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import paired

HERE = pathlib.Path(__file__).parent
TASKS = HERE / "tasks"

# What stands under `revise:`; the first is what the others are compared with.
POLICIES = {
    "regenerate": "regenerate",
    "fresh": "{strategy: regenerate, policy: fresh}",
    "show_best": "{strategy: regenerate, policy: show_best}",
    "full_rewrite": "full_rewrite",
    "targeted_edit": "targeted_edit",
    "incremental": "incremental",
    "hybrid": "hybrid",
    "samples": None,
}
SEED_STEP = 1000  # Between the samples of one pair.


class Stopped(Exception):
    pass


def task_text(text, revise, calls):
    """The task with a way to revise and a budget; a sample is one attempt."""
    attempts = 1 if revise is None else calls
    lines = [text.rstrip(), f"stop: {{attempts: {attempts}, plateau: false, duplicate: false}}"]
    if revise is not None:
        lines += [f"revise: {revise}", f"budget: {{calls: {calls}}}"]
    return "\n".join(lines) + "\n"


def is_shared(result):
    return result["solved"] and result["attempts"] == 1


class Runner:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        shutil.copytree(TASKS, self.folder, dirs_exist_ok=True)

    def once(self, task, revise, seed):
        file = self.folder / f"run-{task}.yaml"
        file.write_text(task_text((TASKS / f"{task}.yaml").read_text(), revise, self.options.calls))
        command = [self.options.hone, "run", str(file), "--json", "-q", "--no-lessons", "-m",
                   self.options.model, "--seed", str(seed), "--store", str(self.folder / "runs.db")]
        started = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=900)
        if done.returncode not in (0, 3, 100):
            sys.exit(f"{' '.join(command)} ends with {done.returncode}:\n{done.stderr or done.stdout}")
        result = json.loads(done.stdout)
        return {"solved": result["success"], "attempts": len(result["attempts"]),
                "calls": result["usage"]["total"]["calls"], "seconds": round(time.monotonic() - started, 1)}

    def pair(self, task, policy, seed):
        revise = POLICIES[policy]
        if revise is not None:
            return self.once(task, revise, seed)
        total = {"solved": False, "attempts": 0, "calls": 0, "seconds": 0}
        for number in range(self.options.calls):
            result = self.once(task, None, seed + number * SEED_STEP)
            for key in ("attempts", "calls", "seconds"):
                total[key] += result[key]
            total["solved"] = result["solved"]
            if total["solved"]:
                break
        return total


class Results:
    """Lines of a file; a run is known by all that decides it."""

    def __init__(self, options):
        self.options, self.file = options, options.results
        self.known = {}
        if self.file.exists():
            for line in self.file.read_text().splitlines():
                entry = json.loads(line)
                self.known[tuple(entry["key"])] = entry["result"]

    def key(self, task, policy, seed):
        digest = hashlib.sha256()
        for file in sorted(TASKS.glob("*.py")) + [TASKS / "code_cases.json", TASKS / f"{task}.yaml"]:
            digest.update(file.read_bytes())
        return (task, policy, seed, self.options.calls, self.options.model, self.options.version,
                digest.hexdigest()[:12])

    def find(self, task, policy, seed):
        return self.known.get(self.key(task, policy, seed))

    def add(self, task, policy, seed, result):
        key = self.key(task, policy, seed)
        self.known[key] = result
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a") as file:
            file.write(json.dumps({"key": key, "result": result}) + "\n")

    def solved_by(self, policy):
        solved = {}
        for task in self.options.tasks:
            for seed in range(1, self.options.seeds + 1):
                result = self.find(task, policy, seed)
                if result is not None:
                    solved[task, seed] = result["solved"]
        return solved

    def mean(self, policy, what):
        values = [self.find(task, policy, seed)[what] for task, seed in self.solved_by(policy)]
        return sum(values) / len(values) if values else 0.0


def fill(results, runner, options):
    deadline = time.monotonic() + 60 * options.minutes
    for seed in range(1, options.seeds + 1):
        for task in options.tasks:
            shared = None
            for policy in options.policies:
                result = results.find(task, policy, seed)
                if result is None:
                    if time.monotonic() > deadline:
                        raise Stopped
                    result = shared or runner.pair(task, policy, seed)
                    results.add(task, policy, seed, result)
                    told = "solved" if result["solved"] else "not solved"
                    note = " (first attempt)" if is_shared(result) else ""
                    print(f"{task} seed {seed} {policy}: {told}{note}, {result['calls']} calls, "
                          f"{result['seconds']} s", file=sys.stderr, flush=True)
                if is_shared(result):
                    shared = result


def table(results, options):
    reference = options.policies[0]
    print(f"{options.version}, model {options.model}, {len(options.tasks)} tasks, {options.seeds} seeds, "
          f"at most {options.calls} calls each; against {reference}")
    print(f"{'policy':<15}{'solved':>9}{'of':>5}{'calls':>7}{'gained':>8}{'lost':>6}{'p':>7}  difference, 95 %")
    for policy in options.policies:
        solved = results.solved_by(policy)
        line = f"{policy:<15}{sum(solved.values()):>9}{len(solved):>5}{results.mean(policy, 'calls'):>7.1f}"
        if policy != reference:
            found = paired.compare(results.solved_by(reference), solved)
            line += (f"{found['gained']:>8}{found['lost']:>6}{found['p']:>7.3f}  "
                     f"{found['difference']:+.3f} [{found['low']:+.3f}, {found['high']:+.3f}]")
        print(line)


def names(text, known, what):
    chosen = text.split(",") if text else list(known)
    for name in chosen:
        if name not in known:
            sys.exit(f"there is no {what} `{name}`; there are {', '.join(known)}")
    return chosen


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hone")
    parser.add_argument("--model", default="local")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=5)
    parser.add_argument("--policies", default="")
    parser.add_argument("--tasks", default="")
    parser.add_argument("--minutes", type=float, default=24 * 60)
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path("build/policies/results.jsonl"))
    options = parser.parse_args()
    options.hone = str(pathlib.Path(options.hone).resolve())
    options.policies = names(options.policies, POLICIES, "policy")
    options.tasks = names(options.tasks, sorted(file.stem for file in TASKS.glob("*.yaml")), "task")
    options.version = subprocess.run([options.hone, "--version"], capture_output=True, text=True).stdout.strip()
    return options


def main():
    options = read_options()
    results = Results(options)
    complete = True
    with tempfile.TemporaryDirectory() as folder:
        try:
            fill(results, Runner(options, folder), options)
        except Stopped:
            complete = False
    table(results, options)
    if not complete:
        print("time ran out: the table is of what is done; start it again to go on", file=sys.stderr)
        sys.exit(3)


if __name__ == "__main__":
    main()
