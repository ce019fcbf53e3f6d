#!/usr/bin/env python3
"""Measures how much of its prompts a run of three attempts on the local model reads again.

    python3 bench/local_reuse.py build/hone [MODEL]

The run has a judge, reflections and a check that never passes, so that all three attempts are made.
Prints, for every role, the prompt tokens, those that had been read before, and what is left; fails
when more than 45 % of all prompt tokens had to be read.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 0.45
TASK = """
task: |
  Summarise this memo for someone who was not there, in three to five plain sentences. Name every
  number, every name and every date that matters, and say at the end what the reader has to do.

  To all branch managers. In the third quarter we sold 41,200 units, four per cent more than a year
  ago; the north sold 18,900 of them, the south 12,300 and the islands 10,000. Returns fell from 3.1
  to 2.4 per cent, mostly because the new packing keeps the glass from breaking. Ines Duarte leads
  the packing team from 1 December and will visit every branch before the end of January. The two
  vans that broke down in August are repaired; the third is sold. From Monday, orders that come in
  before eleven leave the same day, and branches must close their lists at half past ten. The
  holiday plan for the winter is due on 12 December. If you need temporary staff, tell Piotr Malik
  by Friday, with the days and the number of people; later requests cannot be met this year.
type: writing
sampling: {max_tokens: 200, seed: 1}
check:
  - judge: {rubric: "Are all numbers, names and dates right? Does the end say what to do?", always: true}
  - command: {run: "echo the summary does not say who wrote the memo; exit 1"}
stop: {attempts: 3, plateau: false, duplicate: false}
"""


def main():
    hone, model = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "local"
    with tempfile.TemporaryDirectory() as folder:
        task = pathlib.Path(folder) / "task.yaml"
        task.write_text(TASK)
        command = [hone, "run", str(task), "-m", model, "--json", "-q", "--no-lessons",
                   "--store", f"{folder}/store.sqlite"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 100):
        sys.exit(done.stderr or done.stdout)
    result = json.loads(done.stdout)
    print(f"{'role':10} {'prompt':>8} {'known':>8} {'read':>8}")
    for role, usage in result["usage"].items():
        prompt, known = usage.get("input_tokens", 0), usage.get("cached_tokens", 0)
        if prompt:
            print(f"{role:10} {prompt:8} {known:8} {(prompt - known) / prompt:8.1%}")
    total = result["usage"]["total"]
    read = 1 - total["cached_tokens"] / total["input_tokens"]
    attempts = len(result["attempts"])
    print(f"{attempts} attempts, {total['calls']} calls, {result['seconds']:.1f} s: {read:.1%} of the "
          f"prompt tokens were read")
    return 0 if attempts == 3 and read <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
