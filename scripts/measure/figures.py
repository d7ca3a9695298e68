"""Shared parts of the scripts that measure a frontend: figures and their limits, the command line,
and the output. Uses only the standard library, since one of these scripts runs in a separate
environment."""

import argparse
import json
import operator
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def row(name, command, unit, runs, figure, bar=None, bound="most"):
    """A figure. `bar` is its limit or None: an upper one if `bound` is "most", else a lower one."""
    return {"name": name, "command": command, "unit": unit, "figure": figure, "bar": bar,
            "bound": bound, "runs": runs}


def text(value):
    """Three significant digits, or all digits before the decimal point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def parser(description, parts):
    """`parts`, functions that measure, are chosen by their names."""
    options = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [part.__name__ for part in parts]
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    options.add_argument("--json", action="store_true", help="print an array of figures")
    options.add_argument("--runs", type=int, default=5, metavar="N",
                         help="runs of a figure [default: 5]")
    return options


def measure(parts, options):
    """Prints the rows of the chosen parts as they come, and all of them with --json. Exits with 1
    if one misses its bar."""
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
