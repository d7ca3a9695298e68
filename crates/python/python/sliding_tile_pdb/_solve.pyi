"""Functions that solve without a `Solver`. The types are those of the package."""

from . import forget_solvers as forget_solvers
from . import solve as solve
from . import solve_many as solve_many
