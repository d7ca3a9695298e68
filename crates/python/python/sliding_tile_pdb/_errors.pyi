"""Exceptions. The types are those of the package."""

from . import CancelledError as CancelledError
from . import InputError as InputError
from . import LimitError as LimitError
from . import PuzzleError as PuzzleError
from . import TableError as TableError
from . import TooLargeError as TooLargeError
from . import UnsolvableError as UnsolvableError
