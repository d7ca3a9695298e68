"""Shared parts of the scripts that measure a frontend: format of a figure with its limit, command
line, and output. Uses only the standard library, because python_package.py runs in a virtual
environment."""

import argparse
import json
import operator
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def row(name, command, unit, runs, figure, bar=None, bound="most"):
    """A figure. `bar` is its limit or None; `bound` is the kind of limit, "most" or "least"."""
    return {"name": name, "command": command, "unit": unit, "figure": figure, "bar": bar,
            "bound": bound, "runs": runs}


def text(value):
    """Text of a value, rounded to three digits. From 100 on, it is rounded to an integer."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def parser(description, parts):
    """Returns the command-line parser. `parts` are functions that measure; the arguments of the
    command line select them by name."""
    options = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [part.__name__ for part in parts]
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    options.add_argument("--json", action="store_true", help="print an array of figures")
    options.add_argument("--runs", type=int, default=5, metavar="N",
                         help="runs per figure [default: 5]")
    return options


def measure(parts, options):
    """Measures the selected parts. Reports each figure on stderr as soon as it is measured; with
    --json, also prints all rows at the end. Exits with 1 if a figure misses its limit."""
    named = {part.__name__: part for part in parts}
    if unknown := set(options.names) - set(named):
        sys.exit(f"error: unknown figures: {', '.join(sorted(unknown))}; try {', '.join(named)}")
    rows, missed = [], False
    for name in options.names or named:
        for each in named[name](options):
            rows.append(each)
            bar, figure = each["bar"], each["figure"]
            is_over = operator.gt if each["bound"] == "most" else operator.lt
            is_missed = bar is not None and is_over(figure, bar)
            missed = missed or is_missed
            wanted = "" if bar is None else f" (at {each['bound']} {text(bar)})"
            print(f"{each['name']}: {text(figure)} {each['unit']}{wanted}"
                  + ": MISSED" * is_missed, file=sys.stderr, flush=True)
    if options.json:
        print(json.dumps(rows, indent=1))
    sys.exit(1 if missed else 0)
