"""Checks an order against itself and against the note: does the total add up, is every number real?"""

import json
import pathlib
import re
import sys

note = pathlib.Path(__file__).with_name("note.txt").read_text()
text = sys.stdin.read()
fenced = re.search(r"```[a-z]*\n(.*?)```", text, re.S)
order = json.loads(fenced[1] if fenced else text)

known = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", note)}
faults = []
for number, line in enumerate(order["lines"], 1):
    for key in ("quantity", "unit_price"):
        if float(line[key]) not in known:
            faults.append(f"line {number}: the {key} {line[key]} does not stand in the note")
if float(order["discount_percent"]) not in known:
    faults.append(f"the discount_percent {order['discount_percent']} does not stand in the note")

gross = sum(line["quantity"] * line["unit_price"] for line in order["lines"])
total = round(gross * (1 - order["discount_percent"] / 100), 2)
if abs(total - order["total"]) > 0.005:
    parts = " + ".join(f"{line['quantity']} x {line['unit_price']}" for line in order["lines"])
    faults.append(f"total is {order['total']}, but {parts} is {gross:.2f}, "
                  f"less {order['discount_percent']} percent is {total:.2f}")

print("\n".join(faults))
sys.exit(1 if faults else 0)
