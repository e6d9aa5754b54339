"""The Python API of Sheaf, which runs scientific workflows on batch-scheduled clusters.

``Executor`` is a ``concurrent.futures.Executor`` that runs Python functions as tasks on a cluster. ``run``, ``status``, ``plan``,
``predict``, ``simulate``, ``compare`` and ``lab`` run the commands of the same names. The package needs the ``sheaf`` command on
the PATH, or the command's file in the environment variable SHEAF.
"""

from ._errors import DependencyFailed, RemoteTraceback, SheafError, TaskFailed

#: Modules of the names that are imported at first use. The worker of a call imports this package but needs none of them.
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
