#!/usr/bin/env python3
"""Counts phrases to avoid, such as test names that begin with a question word, or `a` in place of
`per`. CONTRIBUTING.md has the rules.

    scripts/check/words.py [--list]     --list prints every finding

Exit code 1 if a phrase occurs more often than its budget.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE = r"\.(rs|py|sh|ts|mjs|js|svelte|c|cpp|h|toml)$"
TEXT = r"\.(rs|py|sh|ts|mjs|js|svelte|c|cpp|h|toml|md)$"
COMMENT = r"^\s*(///|//!|//|#|\"\"\"|/\*\*?|\*) ?"
# Name, files, pattern, budget.
PHRASES = [
    ("comment that begins with a question word", CODE,
     COMMENT + r"(What|Who|Whoever|Where|How) (?!to )", 10),
    ("test name with a question word", r"\.(rs|py)$",
     r"\b(fn|def) (test_)?(what|who|whoever|where|how)_", 10),
    ("so many, so much", TEXT, r"\b[Ss]o (many|much)\b(?! (more|so|that))", 0),
    ("nobody, whoever", TEXT, r"\b([Nn]obody|[Ww]hoever)\b", 0),
    ("'is had', 'bears out'", TEXT, r"\b(is|be|are) had\b|\bbears? out\b", 0),
    ("'some' for 'about'", TEXT, r"\bsome \d", 0),
    ("'a' for 'per'", TEXT, r"(\d|\b(bytes?|bits?|ns|ms|nodes)) an? (entry|board|row|second|node)\b", 0),
    ("hears", TEXT, r"\bhears\b", 0),
]
# Files that are not checked, each with the reason. Lines that contain one of ALLOWED_TEXTS are not
# checked either.
ALLOWED_FILES = {
    "docs/changelog.md": "released sections stay as they were",
    "scripts/check/words.py": "has the phrases",
}
ALLOWED_TEXTS = {
    "nobody.invalid": "a host name that cannot exist",
    "as_nobody": "the user of Unix",
    "NOBODY": "the user of Unix",
}


def lines():
    """Yields path, number and text of each line of the project's files."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in files.stdout.splitlines():
        if re.search(TEXT, name) and name not in ALLOWED_FILES:
            for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
                if not any(text in line for text in ALLOWED_TEXTS):
                    yield name, number, line


def main():
    found = {name: [] for name, *_ in PHRASES}
    for file, number, line in lines():
        for name, files, pattern, _ in PHRASES:
            if re.search(files, file) and re.search(pattern, line):
                found[name].append(f"{file}:{number}: {line.strip()}")
    over = False
    for name, _, _, budget in PHRASES:
        is_over = len(found[name]) > budget
        over = over or is_over
        print(f"{name}: {len(found[name])}, at most {budget}" + ": OVER" * is_over)
        if is_over or "--list" in sys.argv[1:]:
            print("\n".join(f"    {line}" for line in found[name]))
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
