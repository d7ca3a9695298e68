"""Results. The types are those of the package."""

from . import ComparisonRecord as ComparisonRecord
from . import Explanation as Explanation
from . import Hint as Hint
from . import Iteration as Iteration
from . import LostStretch as LostStretch
from . import Probe as Probe
from . import ProbedPart as ProbedPart
from . import ProbedView as ProbedView
from . import Progress as Progress
from . import RatedMove as RatedMove
from . import Rating as Rating
from . import Report as Report
from . import Result as Result
from . import Solvability as Solvability
from . import Step as Step
from . import Suite as Suite
from . import Term as Term
from . import TileMove as TileMove
