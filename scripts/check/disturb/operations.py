"""Commands that receive faults: their input files, and the checks of their output."""

import contextlib
import csv
import dataclasses
import http.client
import json
import random
import re
import shlex
import shutil
import signal
import time
import xml.dom.minidom
from collections.abc import Callable

from .files import change
from .process import TIME_LIMIT, Broken, Process, Skipped

# Boards and the lengths of their optimal solutions.
BOARD_15, LENGTH_15 = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", 55
BOARD_8, LENGTH_8 = "8 6 7/2 5 4/3 0 1", 31
# A partition whose tables are packed quickly.
FOURS = "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15"


@dataclasses.dataclass
class Operation:
    """A command that writes files in its own folder: tables below `t`, other files below `o`."""

    name: str
    line: str
    # Function that creates the input files in a folder of a `Trial`.
    given: Callable | None = None
    # Files whose bytes differ between runs because they contain times. Maps a pattern of file names
    # to a function that fails if the file is incomplete.
    whole: dict = dataclasses.field(default_factory=dict)
    # Command of the next undisturbed run, if it differs from `line`.
    next: str | None = None
    # The command saves checkpoints, which remain after a failure.
    saves: bool = False
    # Function that checks the standard output of a successful run.
    answer: Callable | None = None
    # The command must answer even if it cannot store anything.
    must_answer: bool = False
    # The command uses tables from memory if it cannot store them.
    may_lack_tables: bool = False
    # Function that sends requests to the running program and then stops it.
    client: Callable | None = None
    # The command only reads files.
    reads: bool = False
    # The command rejects damaged results of an earlier run. After damage to a file, the round
    # therefore empties the output folder before the next run.
    anew: bool = False
    # The command runs several processes; a fault may kill only one of them.
    several: bool = False
    # Text in the message with which the command rejects an existing table.
    refuses: str | None = None
    # Rounds of this operation take longer than most, and are scheduled less often.
    slow: bool = False

    def __post_init__(self):
        self.command = shlex.split(self.line)
        self.program = self.command[0]
        self.next = shlex.split(self.next or self.line)


def has_xml(path):
    xml.dom.minidom.parse(str(path))


def has_lines(path):
    text = path.read_text()
    # A search that was interrupted before its first result leaves an empty list.
    assert not text or text.endswith("\n"), "cut short"
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


def service_client(process):
    """Sends two boards to the service and stops it."""
    listening = re.compile(r"listening on http://([\d.]+:\d+)")
    address = next(filter(None, map(listening.search, iter(process.lines.get, None))), None)
    if address is None:
        return
    for board, length, partition in [(BOARD_15, LENGTH_15, "6-6-3"), (BOARD_8, LENGTH_8, "8")]:
        connection = http.client.HTTPConnection(address[1], timeout=TIME_LIMIT)
        try:
            body = json.dumps({"board": board, "partition": partition})
            connection.request("POST", "/v1/solve", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            process.answers.append((response.status, json.loads(response.read()), length))
        except (OSError, http.client.HTTPException):
            # The service was killed; earlier answers are still checked.
            break
        finally:
            connection.close()
    with contextlib.suppress(ProcessLookupError):
        process.process.terminate()


def check_answers(answers, is_complete):
    """Checks that each answer is correct. Status 500 or 503 is also allowed unless
    `is_complete`."""
    for status, body, length in answers:
        if status == 200 and (body.get("status"), body.get("length")) != ("solved", length):
            raise Broken(f"the service answers {body}; the correct length is {length}")
        if status != 200 and (is_complete or status not in (500, 503)):
            raise Broken(f"the service answers {status}: {body}")
    if is_complete and len(answers) != 2:
        raise Broken("the service did not answer")


def given_tables(trial, folder):
    for tables in (f"--partition {FOURS}", "--tiles 1,2,3,4,5,6"):
        trial.ordinary(f"pdb-gen --quiet --tables t {tables}", folder)


def given_service(trial, folder):
    for tables in ("--size 4x4 --partition 6-6-3", "--size 3x3 --partition 8"):
        trial.ordinary(f"pdb-gen --quiet --tables t {tables}", folder)


def given_damaged(trial, folder):
    trial.ordinary("pdb-gen --quiet --tables t --partition 6-6-3", folder)
    for path in (folder / "t").iterdir():
        change(path, "flip", random.Random(1))


def given_checkpoint(trial, folder):
    save = OPERATIONS["save"]
    seconds = trial.baseline(save).seconds
    for part in (0.7, 0.5, 0.8, 0.4, 0.6, 0.3, 0.9):
        process = Process(trial, save.command, folder)
        time.sleep(part * seconds)
        process.signal(signal.SIGKILL)
        process.wait()
        is_saved = list(folder.rglob("*.checkpoint")) and not list(folder.rglob("*.pdb"))
        for path in (folder / "t").iterdir():
            if not (is_saved and path.name.endswith(".checkpoint")):
                path.unlink()
        if is_saved:
            return
    raise Skipped("no checkpoint was made")


def given_packed(trial, folder):
    trial.ordinary(OPERATIONS["pack"].line, folder)
    shutil.rmtree(folder / "t")
    (folder / "t").mkdir()


def given_parts(trial, folder):
    trial.ordinary(OPERATIONS["dist-parts"].line.replace("--tables t", "--tables o"), folder)


SOLVE = f"solver --quiet --threads 2 --tables t --partition 6-6-3 '{BOARD_15}'"
COMPARED = {
    "o/*.svg": has_xml,
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
    tune = "pdb-gen tune --quiet --size 3x3 --parts 3-3-2 --top 2 --minutes 1s"
    show = "solver show --quiet --tables t --solve --out o/a.svg"
    compare = "solver compare --quiet --size 3x3 -n 5 --searches ida-star --out o"
    save = f"{tables} --checkpoint 0 --tiles 1,2,3,4,5,6"
    serve = "solver-server --listen 127.0.0.1:0 --tables t"
    made = [
        Operation("build", f"{tables} --partition 6-6-3"),
        Operation("build-full", f"{tables} --kind full --tiles 1,2,3,4,5"),
        Operation("build-multi", f"{tables} --metric multi --tiles 1,2,3,4,5"),
        Operation("build-blank", f"{tables} --kind blank-compressed --tiles 1,2,3,4,5"),
        Operation("build-zstd", f"{tables} --zstd 1 --tiles 1,2,3,4,5,6"),
        # Overwrites damaged files.
        Operation("rebuild", f"{tables} --partition 6-6-3 --force", given=given_damaged),
        Operation("save", save, next=f"{save} --resume", saves=True),
        Operation("resume", f"{save} --resume", given=given_checkpoint, saves=True),
        Operation("pack", f"{pack} --out o", given=given_tables),
        Operation("unpack", f"{unpack} o", given=given_packed),
        Operation("export-npy", f"{export} --tiles 1,2,3,4 --format npy --out o/a.npy"),
        Operation("export-csv", f"{export} --tiles 1,2,3 --format csv --out o/a.csv"),
        # Unreadable tables are omitted from the picture; the exit code reports them.
        Operation("stats-plot", "pdb-gen stats --quiet --tables t --out o/a.svg",
                  whole={"o/a.svg": has_xml}, given=given_tables),
        Operation("tune", f"{tune} --boards 5 --states 500 --out o",
                  whole={"o/*.txt": has_partition}),
        Operation("man", "pdb-gen man o"),
        Operation("solve", SOLVE, must_answer=True, answer=solved(LENGTH_15)),
        Operation("show", f"{show} '{BOARD_8}'", may_lack_tables=True),
        Operation("compare", compare, whole=COMPARED, anew=True, refuses="has results", slow=True),
        Operation("serve", serve, must_answer=True, client=service_client),
        Operation("dist", dist, several=True),
        Operation("dist-save", f"{dist} --checkpoint 0", next=f"{dist} --checkpoint 0 --resume",
                  saves=True, several=True),
        Operation("dist-parts", f"{dist} --parts", several=True),
        Operation("dist-join", "pdb-gen-dist join --quiet --tables t o", given=given_parts,
                  refuses="already exists"),
        Operation("verify", "pdb-gen verify --quiet --tables t", given=given_tables,
                  reads=True),
        Operation("solve-read", SOLVE, given=given_tables, reads=True,
                  answer=solved(LENGTH_15)),
        Operation("serve-read", serve, given=given_service, reads=True, client=service_client),
    ]
    return {operation.name: operation for operation in made}


OPERATIONS = operations()
