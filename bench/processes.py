#!/usr/bin/env python3
"""Times whole processes: start-up, and a scripted run of three attempts on a new and an existing store.

    python3 bench/processes.py build/hone
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SCRIPT = """
- {role: generate, reply: '{"n": 1}', usage: {input: 10, output: 5}}
- {role: revise, attempt: 2, reply: '{"n": 2}', usage: {input: 10, output: 5}}
- {role: revise, attempt: 3, reply: '{"n": 3}', usage: {input: 10, output: 5}}
- {role: evaluate, repeat: true, contains: '"n": 3', reply: '{"passed": true, "score": 0.9}'}
- {role: evaluate, repeat: true, reply: '{"passed": false, "score": 0.4, "reason": "not yet"}'}
- {role: reflect, repeat: true, reply: "Count on."}
"""
TASK = """
task: Count to three.
model: scripted:script.yaml
check:
  - schema: {type: object, required: [n]}
  - judge: {rubric: "Is it three?"}
stop: {plateau: false}
"""


ENVIRONMENT = dict(os.environ)  # But for the user's own lessons and models.


def measure(command, folder, before=lambda: None, runs=40):
    wall, cpu, memory = [], [], []
    for _ in range(runs):
        before()
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=ENVIRONMENT | {"XDG_DATA_HOME": folder, "XDG_CACHE_HOME": folder},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, spent = os.wait4(process.pid, 0)
        wall.append((time.perf_counter() - started) * 1e3)
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"{command} ends with {os.waitstatus_to_exitcode(status)}")
        cpu.append((spent.ru_utime + spent.ru_stime) * 1e3)
        memory.append(spent.ru_maxrss / 1024)
    return wall, cpu, memory


def show(name, figures):
    wall, cpu, memory = figures
    print(f"{name:<44} wall ms {min(wall):6.1f} / {statistics.median(wall):6.1f}   "
          f"cpu ms {min(cpu):5.1f} / {statistics.median(cpu):5.1f}   MB {max(memory):5.1f}")


def main():
    hone = str(pathlib.Path(sys.argv[1]).resolve())
    print(f"{'':<44} minimum / median; memory is the largest")
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "script.yaml").write_text(SCRIPT)
        (place / "task.yaml").write_text(TASK)
        run = [hone, "run", "task.yaml", "-q", "--store", "runs.db"]

        def forget():
            for file in place.glob("runs.db*"):
                file.unlink()

        show("hone --version", measure([hone, "--version"], folder))
        show("three scripted attempts, new store", measure(run, folder, forget))
        show("three scripted attempts, existing store", measure(run, folder))


if __name__ == "__main__":
    main()
