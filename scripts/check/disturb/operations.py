"""The commands that are disturbed: what they are given, and what shows that they did their work."""

import contextlib
import csv
import http.client
import json
import random
import re
import shlex
import shutil
import signal
import time
import xml.dom.minidom

from .files import change
from .process import PATIENCE, Broken, Process, Skipped

# Boards and the lengths of their optimal solutions.
BOARD_15, LENGTH_15 = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", 55
BOARD_8, LENGTH_8 = "8 6 7/2 5 4/3 0 1", 31
# A partition whose tables are quickly packed.
FOURS = "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15"


class Operation:
    """A command that writes files, below `t` (tables) and `o` (all else) of a folder of its own."""

    def __init__(self, name, command, **options):
        self.name = name
        self.command = shlex.split(command)
        self.program = self.command[0]
        # What is there before: a tree of files, made by a function of `Trial`.
        self.given = options.pop("given", None)
        # Files whose bytes differ from run to run, since they have times, and what shows that they
        # are whole.
        self.whole = options.pop("whole", {})
        # The next ordinary run, where it is not the same command.
        self.next = shlex.split(options.pop("next", command))
        # Whether it saves its state, which stays when it fails.
        self.saves = options.pop("saves", False)
        # Looks at what was printed by a run that ended well.
        self.answer = options.pop("answer", None)
        # It has an answer also where nothing can be kept.
        self.must_answer = options.pop("must_answer", False)
        # Tables that it builds and cannot keep are used from memory.
        self.may_lack_tables = options.pop("may_lack_tables", False)
        # Asks the program while it runs, and then stops it.
        self.client = options.pop("client", None)
        # It does not write: its files are only read.
        self.reads = options.pop("reads", False)
        # After damage it begins anew, in a folder that is empty.
        self.anew = options.pop("anew", False)
        # Several processes, of which one alone may be killed.
        self.several = options.pop("several", False)
        # Whether it refuses to write over a table that is there.
        self.refuses = options.pop("refuses", None)
        # How much longer than necessary rounds of this operation are: these come less often.
        self.slow = options.pop("slow", False)
        assert not options, options


def has_xml(path):
    xml.dom.minidom.parse(str(path))


def has_png(path):
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB`\x82"), "cut short"


def has_lines(path):
    text = path.read_text()
    assert text.endswith("\n"), "cut short"
    return text.splitlines()


def has_json_lines(path):
    for line in has_lines(path):
        json.loads(line)


def has_csv(path):
    has_lines(path)
    with path.open(newline="") as file:
        assert len({len(row) for row in csv.reader(file)}) == 1, "cut short"


def has_partition(path):
    assert has_lines(path), "empty"


def solved(length):
    def check(output):
        found = re.findall(r"^(\d+) ", output, re.MULTILINE)
        if found != [str(length)]:
            raise Broken(f"the answer is not {length} moves: {output!r}")

    return check


def service_client(process, lines):
    """Asks a service twice, and stops it."""
    address = None
    for line in lines:
        if found := re.search(r"listening on http://([\d.]+):(\d+)", line):
            address = found.group(1), int(found.group(2))
            break
    if address is None:
        return []
    answers = []
    for board, length in [(BOARD_15, LENGTH_15), (BOARD_8, LENGTH_8)]:
        connection = http.client.HTTPConnection(*address, timeout=PATIENCE)
        try:
            partition = "6-6-3" if length == LENGTH_15 else "8"
            body = json.dumps({"board": board, "partition": partition})
            connection.request("POST", "/v1/solve", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            answers.append((response.status, json.loads(response.read()), length))
        except (OSError, http.client.HTTPException):
            # It was killed. What it has answered counts.
            break
        finally:
            connection.close()
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    return answers


def check_answers(answers, is_complete):
    """Answers of a service: right, or a refusal by its number."""
    for status, body, length in answers:
        if status == 200 and (body.get("status"), body.get("length")) != ("solved", length):
            raise Broken(f"the service answers {body} where {length} moves are right")
        if status != 200 and (is_complete or status not in (500, 503)):
            raise Broken(f"the service answers {status}: {body}")
    if is_complete and len(answers) != 2:
        raise Broken("the service did not answer")


def given_tables(trial):
    def make(folder):
        build = "pdb-gen --quiet --tables t --partition"
        for partition in (FOURS, "6-6-3"):
            trial.ordinary([*build.split(), partition], folder)

    return trial.tree("tables", make)


def given_service(trial):
    def make(folder):
        for size, partition in (("4x4", "6-6-3"), ("3x3", "8")):
            build = f"pdb-gen --quiet --tables t --size {size} --partition {partition}"
            trial.ordinary(build.split(), folder)

    return trial.tree("service", make)


def given_damaged(trial):
    def make(folder):
        trial.ordinary("pdb-gen --quiet --tables t --partition 6-6-3".split(), folder)
        for path in (folder / "t").iterdir():
            change(path, "flip", random.Random(1))

    return trial.tree("damaged", make)


def given_checkpoint(trial):
    def make(folder):
        command = "pdb-gen --quiet --threads 2 --tables t --checkpoint 0 --tiles 1,2,3,4,5,6"
        baseline = trial.baseline(OPERATIONS["save"])
        for part in (0.7, 0.5, 0.8, 0.4, 0.6, 0.3, 0.9):
            process = Process(trial, command.split(), folder)
            time.sleep(part * baseline.seconds)
            process.signal(signal.SIGKILL)
            process.wait()
            if list(folder.rglob("*.checkpoint")) and not list(folder.rglob("*.pdb")):
                for path in (folder / "t").iterdir():
                    if not path.name.endswith(".checkpoint"):
                        path.unlink()
                return
            for path in (folder / "t").iterdir():
                path.unlink()
        raise Skipped("no checkpoint was made")

    return trial.tree("checkpoint", make)


def given_packed(trial):
    def make(folder):
        command = OPERATIONS["pack"].command
        trial.ordinary(command, folder)
        shutil.rmtree(folder / "t")
        (folder / "t").mkdir()

    return trial.tree("packed", make)


def given_single(trial):
    def make(folder):
        trial.ordinary(OPERATIONS["pack-single"].command, folder)
        shutil.rmtree(folder / "t")
        (folder / "t").mkdir()

    return trial.tree("single", make)


def given_parts(trial):
    def make(folder):
        command = [word if word != "t" else "o" for word in OPERATIONS["dist-parts"].command]
        trial.ordinary(command, folder)

    return trial.tree("parts", make)


SOLVE = f"solver --quiet --threads 2 --tables t --partition 6-6-3 '{BOARD_15}'"
COMPARED = {
    "o/*.svg": has_xml,
    "o/*.png": has_png,
    "o/*.jsonl": has_json_lines,
    "o/*.csv": has_csv,
    "o/*.md": has_lines,
}


def operations():
    tables = "pdb-gen --quiet --threads 2 --tables t"
    dist = "pdb-gen-dist --local 2 --threads 1 --quiet --tables t --tiles 1,2,3,4,5,6"
    pack = f"pdb-gen pack --quiet --threads 2 --tables t --partition {FOURS}"
    unpack = "pdb-gen unpack --quiet --tables t"
    export = "pdb-gen export --quiet --threads 2 --tables t --kind full"
    compare = "solver compare --quiet --size 3x3 -n 5 --searches ida-star --out o"
    save = f"{tables} --checkpoint 0 --tiles 1,2,3,4,5,6"
    some = given_tables
    made = [
        Operation("build", f"{tables} --partition 6-6-3"),
        Operation("build-full", f"{tables} --kind full --tiles 1,2,3,4,5"),
        Operation("build-multi", f"{tables} --metric multi --tiles 1,2,3,4,5"),
        Operation("build-blank", f"{tables} --kind blank-compressed --tiles 1,2,3,4,5"),
        Operation("build-zstd", f"{tables} --zstd 1 --tiles 1,2,3,4,5,6"),
        # Over files that were damaged before.
        Operation("rebuild", f"{tables} --partition 6-6-3 --force", given=given_damaged),
        Operation("save", save, next=f"{save} --resume", saves=True),
        Operation("resume", f"{save} --resume", given=given_checkpoint, saves=True),
        Operation("pack", f"{pack} --out o", given=some),
        Operation("pack-single", f"{pack} --single --out o/tables.pack", given=some),
        Operation("unpack", f"{unpack} o", given=given_packed),
        Operation("unpack-single", f"{unpack} o/tables.pack", given=given_single),
        Operation("export-npy", f"{export} --tiles 1,2,3,4 --format npy --out o/a.npy"),
        Operation("export-csv", f"{export} --tiles 1,2,3 --format csv --out o/a.csv"),
        # A table that cannot be read is not in the picture; the exit code says so.
        Operation(
            "stats-png",
            "pdb-gen stats --quiet --tables t --out o/a.png",
            given=some,
            whole={"o/a.png": has_png},
        ),
        Operation(
            "tune",
            "pdb-gen tune --quiet --size 3x3 --parts 3-3-2 --top 2 --minutes 1s --boards 5 "
            "--states 500 --out o",
            whole={"o/*.txt": has_partition},
        ),
        Operation("man", "pdb-gen man o"),
        Operation("solve", SOLVE, answer=solved(LENGTH_15), must_answer=True),
        Operation(
            "show",
            f"solver show --quiet --tables t --solve --out o/a.svg '{BOARD_8}'",
            may_lack_tables=True,
        ),
        Operation(
            "compare",
            compare,
            whole=COMPARED,
            next=f"{compare} --resume",
            anew=True,
            slow=True,
        ),
        Operation(
            "serve",
            "solver-server --listen 127.0.0.1:0 --tables t",
            client=service_client,
            must_answer=True,
        ),
        Operation("dist", dist, several=True),
        Operation(
            "dist-save",
            f"{dist} --checkpoint 0",
            next=f"{dist} --checkpoint 0 --resume",
            saves=True,
            several=True,
        ),
        Operation("dist-parts", f"{dist} --parts", several=True),
        Operation(
            "dist-join",
            "pdb-gen-dist join --quiet --tables t o",
            given=given_parts,
            refuses="is there already",
        ),
        Operation("verify", "pdb-gen verify --quiet --tables t", given=some, reads=True),
        Operation("solve-read", SOLVE, given=some, reads=True, answer=solved(LENGTH_15)),
        Operation(
            "serve-read",
            "solver-server --listen 127.0.0.1:0 --tables t",
            given=given_service,
            client=service_client,
            reads=True,
        ),
    ]
    return made


OPERATIONS = {operation.name: operation for operation in operations()}
