"""Differential-privacy accounting with certified intervals.

>>> import pld
>>> run = 1000 * pld.gaussian(sigma=0.8, poisson=0.005)
>>> epsilon = run.epsilon(delta=1e-6)
>>> epsilon
Epsilon(2.0041 <= 2.00411)
>>> float(epsilon) == epsilon.upper, epsilon.direction, epsilon.engine, epsilon.exact
(True, 'remove', 'contour', True)
"""
from ._core import DomainError, MissingTheorem
from .answers import Bracket, Brackets, Calibration, Delta, Epsilon, Floor
from .composition import Composition, Profile, from_json, mechanism, unknown
from .evidence import Evidence
from .limits import TimeLimit
from .many import epsilon_many
from .matrices import matrix_sensitivity
from .mechanisms import *
from .mechanisms import __all__ as _mechanisms
from .reports import Bound, Comparison, Explanation, Verdict
from .training import Training, dp_sgd

TYPE_CHECKING = False
if not TYPE_CHECKING:

    def __getattr__(name):
        """Tells what a name that is missing was likely meant to be."""
        from re import sub

        from ._core import did_you_mean

        hint = ""
        if not name.startswith("_"):
            hint = sub(r":(.*)\?", lambda words: f"({words[1]})?", did_you_mean(name, __all__))
            if hasattr(Composition, name):
                hint = f" (did you mean a composition's, as pld.gaussian(sigma=1).{name}?)"
        raise AttributeError(f"module 'pld' has no attribute '{name}'{hint}")


__version__ = "0.1.0"
__all__ = ["Bound", "Bracket", "Brackets", "Calibration", "Comparison", "Composition", "Delta", "DomainError", "Epsilon",
           "Evidence", "Explanation", "Floor", "MissingTheorem", "Profile", "TimeLimit", "Training", "Verdict", "dp_sgd",
           "epsilon_many", "from_json", "matrix_sensitivity", "mechanism", "unknown", *_mechanisms]
