"""What the Python worker knows beside the language: how checks are compiled and their results read.

Runs in the zygote before any code of a user's; its names are not theirs.
"""
import ast
import builtins
import json
import random
import re
import signal
import sys

# All that code may import: nothing can be read from the disk once a worker is confined.
import abc, array, base64, binascii, bisect, calendar, cmath, collections, collections.abc
import colorsys, contextlib, copy, csv, dataclasses, datetime, decimal, difflib, enum, fractions
import functools, hashlib, heapq, html, html.parser, inspect, io, itertools, keyword, locale
import math, numbers, operator, pprint, queue, shlex, statistics, string, struct, textwrap, time
import timeit, token, tokenize, traceback, types, typing, unicodedata, unittest, urllib.parse
import uuid, warnings, weakref, xml.etree.ElementTree, zlib
import os, os.path, pathlib, threading

warnings.simplefilter("ignore")
# The same code gives the same verdict.
random.seed(0)
# Modules that fill themselves on first use do so now.
datetime.datetime.strptime("2000", "%Y")
re.compile("a")

FILE = "<check>"
dumps = json.dumps
loads = json.loads


class Returns(ast.NodeVisitor):
    """Whether there is a `return` that belongs to no function."""

    found = False

    def visit_Return(self, node):
        self.found = True

    def visit_FunctionDef(self, node):
        pass

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef


class WithoutAnnotations(ast.NodeTransformer):
    """`x: int = 1` cannot stand beside `global x`."""

    def visit_AnnAssign(self, node):
        if not isinstance(node.target, ast.Name):
            return node
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_FunctionDef(self, node):
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef


def module_of(function):
    module = ast.Module([function], [])
    return compile(ast.fix_missing_locations(module), FILE, "exec")


def compile_check(source):
    """The code object of a check and whether it defines __check__, which holds its `return`s."""
    tree = ast.parse(source, FILE)
    returns = Returns()
    returns.visit(tree)
    if not returns.found:
        return compile(tree, FILE, "exec"), False
    tree = WithoutAnnotations().visit(tree)
    nothing = ast.arguments([], [], None, [], [], None, [])
    function = ast.FunctionDef("__check__", nothing, tree.body, [], lineno=1, col_offset=0)
    module = module_of(function)
    code = next(c for c in module.co_consts if isinstance(c, types.CodeType))
    names = sorted(set(code.co_varnames) | set(code.co_cellvars))
    if names:
        function.body = [ast.Global(names)] + tree.body
        module = module_of(function)
    return module, True


def value_of(source, variables):
    """What the check returned; else its `result`; else a changed `output`; else None."""
    module, returns = compile_check(source)
    space = {"__name__": "__check__", "__builtins__": builtins, "json": json, "re": re}
    space.update(variables)
    before = space.get("output")
    exec(module, space)
    value = space["__check__"]() if returns else None
    if value is None:
        value = space.get("result")
    if value is None and "output" in space and space["output"] != before:
        value = space["output"]
    return value


def place_in(trace):
    """The innermost line of the check in a traceback."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def message_of(error):
    text = str(error)
    name = type(error).__name__
    return f"{name}: {text}" if text else name


def check(source, variables):
    """(end, value as JSON or None, message, line, column) of a check."""
    try:
        value = value_of(source, loads(variables))
    except SyntaxError as error:
        if error.filename == FILE:
            return "not_code", None, error.msg, error.lineno, error.offset
        return "raised", None, message_of(error), place_in(error.__traceback__), None
    except BaseException as error:
        return "raised", None, message_of(error), place_in(error.__traceback__), None
    if value is None:
        return "returned", None, "", None, None
    try:
        return "returned", dumps(value, allow_nan=False), "", None, None
    except (TypeError, ValueError, RecursionError) as error:
        what = f"{type(value).__name__} that is no JSON ({error})"
        return "returned", None, what, None, None


class TimeOut(BaseException):
    """Not an Exception: code that catches those does not catch it."""


def on_alarm(number, frame):
    raise TimeOut()


def asserted(test):
    """The source of what an assert compares: its left side, or all of it."""
    condition = ast.parse(test).body[0]
    condition = getattr(condition, "test", condition)
    return ast.unparse(getattr(condition, "left", condition)).strip()


IMPORTS = "from typing import *\n"


def value_text(code, test, space):
    """The text of what a test asserts about."""
    exec(IMPORTS + code, space)
    return str(eval(asserted(test), space))


spaces = {}


def shared_space(name):
    return spaces.setdefault(name, {"__name__": "__main__", "__builtins__": builtins})


def shared(name, use, code, test, seconds):
    """A test or a value in a namespace that outlives it, ended by an alarm."""
    space = shared_space(name)
    signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        if use == "value":
            return "returned", dumps(value_text(code, test, space)), "", None, None
        exec(IMPORTS + code + "\n" + test, space)
        return "returned", "true", "", None, None
    except TimeOut:
        return "timed_out", None, "", None, None
    except BaseException as error:
        return "raised", None, str(error), None, None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
