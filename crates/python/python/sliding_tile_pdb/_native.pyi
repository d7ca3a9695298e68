"""The extension module. The types are those of the package."""

from . import Anytime as Anytime
from . import Board as Board
from . import Cancel as Cancel
from . import Goal as Goal
from . import SolvedBoards as SolvedBoards
from . import Solver as Solver
from . import Table as Table
from . import build as build
from . import compare as compare
from . import explain as explain
from . import heuristics as heuristics
from . import invert as invert
from . import pack as pack
from . import read_boards as read_boards
from . import scramble as scramble
from . import suite as suite
from . import suites as suites
from . import unpack as unpack
from . import verify as verify
from .types import BoardLike, GoalLike, Size

__version__: str

def read_board(board: BoardLike, size: Size | None, goal: GoalLike | None) -> tuple[Board, Goal]:
    """A board and its goal, for the functions of `_solve.py`."""

