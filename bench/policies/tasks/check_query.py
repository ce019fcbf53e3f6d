"""Runs the SQL query of the output on a small database.

    python3 check_query.py < output
"""

import re
import sqlite3
import sys

TABLES = """
create table customers(id integer primary key, name text);
create table orders(id integer primary key, customer_id integer, amount integer, paid integer);
insert into customers values (1, 'Ada'), (2, 'Ben'), (3, 'Cleo'), (4, 'Dan');
insert into orders values (1, 1, 50, 1), (2, 1, 70, 1), (3, 2, 200, 0), (4, 2, 30, 1), (5, 3, 120, 1);
"""
EXPECTED = [("Ada", 120), ("Cleo", 120), ("Ben", 30), ("Dan", 0)]


def main():
    text = sys.stdin.read()
    block = re.search(r"```[a-z]*\n(.*?)```", text, re.S)
    database = sqlite3.connect(":memory:")
    database.executescript(TABLES)
    try:
        rows = database.execute((block.group(1) if block else text).strip().rstrip(";")).fetchall()
    except sqlite3.Error as error:
        sys.exit(f"the query fails: {error}")
    if rows != EXPECTED:
        sys.exit(f"the query gives {rows} and should give {EXPECTED}")


if __name__ == "__main__":
    main()
