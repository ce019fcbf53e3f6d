"""Checks an order against itself and against the note: does the total add up, is every number real?"""

import json
import pathlib
import re
import sys

note = pathlib.Path(__file__).with_name("note.txt").read_text()
text = sys.stdin.read()
fenced = re.search(r"```[a-z]*\n(.*?)```", text, re.S)
try:
    order = json.loads(fenced[1] if fenced else text)
    lines = [(float(line["quantity"]), float(line["unit_price"])) for line in order["lines"]]
    discount, stated = float(order["discount_percent"]), float(order["total"])
except (ValueError, TypeError, KeyError):
    sys.exit("the order cannot be read: write one JSON object with plain numbers")

known = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", note)}
faults = []
for number, (quantity, unit_price) in enumerate(lines, 1):
    for name, value in (("quantity", quantity), ("unit_price", unit_price)):
        if value not in known:
            faults.append(f"line {number}: the {name} {value:g} does not stand in the note")
if discount not in known:
    faults.append(f"the discount_percent {discount:g} does not stand in the note")

gross = sum(quantity * unit_price for quantity, unit_price in lines)
total = round(gross * (1 - discount / 100), 2)
if abs(total - stated) > 0.005:
    parts = " + ".join(f"{quantity:g} x {unit_price:g}" for quantity, unit_price in lines)
    faults.append(f"total is {stated:g}, but {parts} is {gross:.2f}, "
                  f"less {discount:g} percent is {total:.2f}")

print("\n".join(faults))
sys.exit(1 if faults else 0)
