"""Sheaf runs scientific workflows on batch-scheduled clusters.

``Executor`` runs Python functions as tasks on a cluster, as ``concurrent.futures`` does in processes here; ``run``, ``status``,
``plan``, ``predict``, ``simulate``, ``compare`` and ``lab`` are the commands of the same names. Needs the ``sheaf`` command on
the PATH, or its file in the environment variable SHEAF.
"""

from ._errors import DependencyFailed, RemoteTraceback, SheafError, TaskFailed
from .client import Figures, compare, lab, plan, predict, run, simulate, status
from .executor import Executor, Future

__all__ = [
    "DependencyFailed",
    "Executor",
    "Figures",
    "Future",
    "RemoteTraceback",
    "SheafError",
    "TaskFailed",
    "compare",
    "lab",
    "plan",
    "predict",
    "run",
    "simulate",
    "status",
]
__version__ = "0.1.0"
