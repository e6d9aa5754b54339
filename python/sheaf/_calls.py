"""Function calls as files: written by the executor, run by the worker, results read by both.

A call is a part of a file in a folder of the queue: ``FILE:OFFSET:LENGTH:ID.call``, or ``….after`` if it needs results of other
calls. A future of another call among the arguments, at any depth, is stored as a reference to that call. See Results.
"""

import io
import os
import sys
import time

try:
    # What pickle uses, without the import of pickle's own Python code in each worker.
    import _pickle as pickle
except ImportError:
    import pickle

from ._errors import RemoteTraceback, SheafError

CALL = ".call"
AFTER = ".after"


class Reference:
    """Stands for the result of another call in the arguments of a call."""

    def __init__(self, task):
        self.task = task


class Results:
    """The results of calls, in files of a folder: a file for each process that runs one call after the other.

    A file holds ``ID OUTCOME LENGTH`` and the pickled result of each call, one after the other. Only complete results are read. Not
    for several threads.
    """

    #: How long another node's file system may hide a result, in seconds.
    PATIENCE = 10

    def __init__(self, calls):
        self.folder = os.path.join(calls, "results")
        self._read = {}
        self._found = {}

    def add(self, name, task, ok, data):
        """Adds a result to the file of a name, which no other process writes."""
        file = os.open(os.path.join(self.folder, name), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            record = b"%s %d %d\n%b" % (task.encode(), ok, len(data), data)
            while record:
                record = record[os.write(file, record) :]
        finally:
            os.close(file)

    def load(self, task, ok, patience=PATIENCE):
        """The value, or the exception with the remote traceback as its cause; KeyError if there is none."""
        path, offset, length = self._find(task, ok, patience)
        with open(path, "rb") as file:
            file.seek(offset)
            value = pickle.loads(file.read(length))
        if ok:
            return value
        error, text = value
        error.__cause__ = RemoteTraceback(text)
        return error

    def forget(self, task):
        for ok in (True, False):
            self._found.pop((task, ok), None)

    def _find(self, task, ok, patience):
        if (task, ok) not in self._found:
            self.refresh()
        pause = 0.05
        while (task, ok) not in self._found:
            # A change of the folder makes a network file system read it anew.
            mark = os.path.join(self.folder, f".{os.getpid()}")
            os.close(os.open(mark, os.O_CREAT | os.O_WRONLY))
            os.unlink(mark)
            self.refresh()
            if (task, ok) not in self._found:
                if patience <= 0:
                    raise KeyError(task)
                time.sleep(pause)
                patience -= pause
                pause *= 2
        return self._found[task, ok]

    def refresh(self):
        """Finds the results that were added since the last time."""
        for name in os.listdir(self.folder):
            if name.startswith("."):
                continue
            path = os.path.join(self.folder, name)
            offset = self._read.get(name, 0)
            with open(path, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                while offset < size:
                    file.seek(offset)
                    head = file.readline()
                    if not head.endswith(b"\n"):
                        break
                    task, ok, length = head.split()
                    begin = offset + len(head)
                    offset = begin + int(length)
                    if offset > size:
                        break
                    self._found[task.decode(), ok == b"1"] = (path, begin, int(length))
                    self._read[name] = offset


_results = {}
_prepared = {}


def results_of(folder):
    """The results of the calls in a folder. A forked process has what the one before it has found."""
    if folder not in _results:
        _results[folder] = Results(folder)
    return _results[folder]


def prepare(call):
    """Does for all later calls what they need, in the process that forks one for each call."""
    source, offset, length, _ = call.rsplit(":", 3)
    if call.endswith(AFTER):
        results_of(os.path.dirname(os.path.abspath(source))).refresh()
    if not _prepared:
        try:
            preamble, rest = _read(source, offset, length)
            if preamble["main"] and b"__main__" in rest:
                _prepared[preamble["main"]] = None
                _prepare_main(preamble)
        except Exception:
            pass  # each call that it concerns reports it


def _prepare_main(preamble):
    """Compiles the main script and imports the modules of the standard library that it imports.

    The script is run, and other modules are imported, by each call: they may have state, such as a generator of random numbers, that
    calls must not share.
    """
    import ast
    import gc
    import importlib.util

    before = sys.path[:]
    sys.path[:] = preamble["path"]
    try:
        with open(preamble["main"], "rb") as script:
            source = script.read()
        _prepared[preamble["main"]] = compile(source, preamble["main"], "exec")
        body = ast.parse(source).body
        names = [alias.name for node in body if isinstance(node, ast.Import) for alias in node.names]
        names += [node.module for node in body if isinstance(node, ast.ImportFrom) and not node.level]
        for name in names:
            root = name.partition(".")[0]
            if root in sys.stdlib_module_names - {"antigravity", "this"}:  # these two act when they are imported
                origin = importlib.util.find_spec(root).origin or ""
                if origin in ("built-in", "frozen") or origin.startswith(os.path.dirname(os.__file__) + os.sep):
                    __import__(name)
    finally:
        sys.path[:] = before
        gc.freeze()  # a collection in a forked process would copy their memory


def place(file, offset, length, task, after):
    """The argument of a worker for a call that is a part of a file."""
    return f"{file}:{offset}:{length}:{task}{AFTER if after else CALL}"


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
        try:
            return results_of(self.folder).load(task, True)
        except KeyError:
            raise SheafError(f"the result of task {task}, which is an argument, is not in {self.folder}") from None


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
    code = _prepared.get(path)
    if code is None:
        with open(path, "rb") as script:
            code = compile(script.read(), path, "exec")
    exec(code, main.__dict__)


def _read(source, offset, length):
    """What a call needs before it can be unpickled, and the bytes of the rest."""
    with open(source, "rb") as file:
        file.seek(int(offset))
        data = io.BytesIO(file.read(int(length)))
    return pickle.load(data), data.read()


def run(call, name):
    """Runs a call (see ``place``) and adds its result to the file of a name. Returns the exit status of the worker."""
    source, offset, length, task = call.rsplit(":", 3)
    folder = os.path.dirname(os.path.abspath(source))
    task = task.rpartition(".")[0]
    results = results_of(folder)
    try:
        preamble, rest = _read(source, offset, length)
        sys.path[:] = preamble["path"]
        if preamble["main"] and b"__main__" in rest:
            _enter_main(preamble["main"])
        function, args, kwargs = _CallUnpickler(io.BytesIO(rest), folder).load()
        value = function(*args, **kwargs)
        data = pickle.dumps(value, protocol=4)
    except BaseException as e:  # whatever the function raises belongs to the caller
        import traceback

        text = "".join(traceback.format_exception(type(e), e, e.__traceback__))
        print(text, end="", file=sys.stderr)
        results.add(name, task, False, _failure(e, text))
        return 1
    results.add(name, task, True, data)
    return 0


def _failure(error, text):
    error.__traceback__ = error.__cause__ = error.__context__ = None
    try:
        data = pickle.dumps((error, text), protocol=4)
        pickle.loads(data)
        return data
    except Exception:
        # An exception that cannot be stored is described by its text.
        return pickle.dumps((SheafError(f"{type(error).__name__}: {error}"), text), protocol=4)
