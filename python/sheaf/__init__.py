"""Sheaf runs scientific workflows on batch-scheduled clusters.

``Executor`` runs Python functions as tasks on a cluster, as ``concurrent.futures`` does in processes here; ``run``, ``status``,
``plan``, ``predict``, ``simulate``, ``compare`` and ``lab`` are the commands of the same names. Needs the ``sheaf`` command on
the PATH, or its file in the environment variable SHEAF.
"""

from ._errors import DependencyFailed, RemoteTraceback, SheafError, TaskFailed

#: Where the other names are. They are imported at their first use, since each call starts a process that needs none of them.
_MODULES = {
    "client": ("Figures", "compare", "lab", "plan", "predict", "run", "simulate", "status"),
    "executor": ("Executor", "Future"),
}

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


def __getattr__(name):
    for module, names in _MODULES.items():
        if name in names:
            import importlib

            value = getattr(importlib.import_module("." + module, __name__), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
