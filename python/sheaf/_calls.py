"""Function calls as files: written by the executor, run by the worker, results read by both.

A call is a part of a file in a folder of the queue: ``FILE:OFFSET:LENGTH:ID.call``. Its result is ``ID.result``, written under
another name and renamed, so a reader sees all of it or none. A future of another call among the arguments, at any depth, is stored as a reference to that
call's result file.
"""

import io
import os
import sys

try:
    # What pickle uses, without the import of pickle's own Python code in each worker.
    import _pickle as pickle
except ImportError:
    import pickle

from ._errors import RemoteTraceback, SheafError

CALL = ".call"
RESULT = ".result"


class Reference:
    """Stands for the result of another call in the arguments of a call."""

    def __init__(self, task):
        self.task = task


def write(path, data):
    """Writes a file so that readers see all of it or nothing."""
    made = path + ".tmp"
    with open(made, "wb") as file:
        file.write(data)
    os.replace(made, path)


def place(file, offset, length, task):
    """The argument of a worker for a call that is a part of a file."""
    return f"{file}:{offset}:{length}:{task}{CALL}"


def dump_call(function, args, kwargs, reference_of):
    """The bytes of a call.

    ``reference_of(object)`` returns the Reference that replaces an object, or None.
    """
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    preamble = {"path": sys.path, "main": os.path.abspath(main) if main else None}
    out = io.BytesIO()
    pickle.dump(preamble, out, protocol=4)
    try:
        _pickler(out, reference_of, _needs_cloudpickle(function, main)).dump((function, args, kwargs))
    except (pickle.PicklingError, AttributeError, TypeError) as e:
        raise SheafError(
            f"the call of {_name(function)} cannot be pickled: {e}. Define the function at the top level of a module, "
            "or install cloudpickle"
        ) from e
    return out.getvalue()


def _name(function):
    return getattr(function, "__qualname__", repr(function))


def _cloudpickle():
    try:
        import cloudpickle

        return cloudpickle
    except ImportError:
        return None


def _needs_cloudpickle(function, main):
    """Whether the worker could not import the function by its name."""
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", "")
    local = "<lambda>" in name or "<locals>" in name
    interactive = module == "__main__" and main is None
    if (local or interactive) and _cloudpickle() is None:
        where = "is defined in an interactive session" if interactive else "is a lambda or a local function"
        raise SheafError(
            f"{_name(function)} {where}, which pickle cannot store. Put it at the top level of a module, "
            "or install cloudpickle"
        )
    return local or interactive


def _pickler(out, reference_of, by_value):
    base = _cloudpickle().CloudPickler if by_value else pickle.Pickler

    class CallPickler(base):
        def persistent_id(self, obj):
            reference = reference_of(obj)
            return None if reference is None else reference.task

    return CallPickler(out, protocol=4)


class _CallUnpickler(pickle.Unpickler):
    def __init__(self, file, folder):
        super().__init__(file)
        self.folder = folder

    def persistent_load(self, task):
        ok, value = load_result(os.path.join(self.folder, task + RESULT))
        if not ok:
            raise SheafError(f"task {task}, whose result is an argument, failed: {value}")
        return value


class _WorkersExecutor:
    """Stands for Executor in the main script that a worker runs: a call of it makes a real one."""

    def __new__(cls, **options):
        from .executor import Executor

        return Executor(**options)


def _enter_main(path):
    """Makes the functions of the caller's script importable as those of ``__main__``, as multiprocessing does."""
    import sheaf

    # The script names the executor but opens none here; the real one would import far more than the call needs.
    sheaf.Executor = _WorkersExecutor
    main = type(sys)("__sheaf_main__")
    main.__file__ = path
    sys.modules["__main__"] = sys.modules["__sheaf_main__"] = main
    with open(path, "rb") as script:
        exec(compile(script.read(), path, "exec"), main.__dict__)


def run(call):
    """Runs a call (see ``place``) and writes its result. Returns the exit status of the worker."""
    source, offset, length, name = call.rsplit(":", 3)
    folder = os.path.dirname(os.path.abspath(source))
    result = os.path.join(folder, name[: -len(CALL)] + RESULT)
    try:
        with open(source, "rb") as file:
            file.seek(int(offset))
            data = io.BytesIO(file.read(int(length)))
        preamble = pickle.load(data)
        sys.path[:] = preamble["path"]
        rest = data.read()
        if preamble["main"] and b"__main__" in rest:
            _enter_main(preamble["main"])
        function, args, kwargs = _CallUnpickler(io.BytesIO(rest), folder).load()
        value = function(*args, **kwargs)
        data = pickle.dumps((True, value), protocol=4)
    except BaseException as e:  # whatever the function raises belongs to the caller
        import traceback

        text = "".join(traceback.format_exception(type(e), e, e.__traceback__))
        print(text, end="", file=sys.stderr)
        write(result, _failure(e, text))
        return 1
    write(result, data)
    return 0


def _failure(error, text):
    error.__traceback__ = error.__cause__ = error.__context__ = None
    try:
        data = pickle.dumps((False, (error, text)), protocol=4)
        pickle.loads(data)
        return data
    except Exception:
        # An exception that cannot be stored is described by its text.
        return pickle.dumps((False, (SheafError(f"{type(error).__name__}: {error}"), text)), protocol=4)


def load_result(path):
    """Returns (True, value) or (False, exception with the remote traceback as its cause)."""
    with open(path, "rb") as file:
        ok, value = pickle.load(file)
    if ok:
        return True, value
    error, text = value
    error.__cause__ = RemoteTraceback(text)
    return False, error
