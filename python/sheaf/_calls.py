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
#: The name of the main script's module in a process that runs a call, where it is not the main program.
MAIN = "__sheaf_main__"


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
        value = pickle.loads(self.read(task, ok, patience))
        if ok:
            return value
        error, text = value
        error.__cause__ = RemoteTraceback(text)
        return error

    def read(self, task, ok, patience=PATIENCE):
        path, offset, length = self._find(task, ok, patience)
        with open(path, "rb") as file:
            file.seek(offset)
            return file.read(length)

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
            if preamble["main"] and _names_main(rest):
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
    module = sys.modules.get("__main__")
    file = getattr(module, "__file__", None)
    main = os.path.abspath(file) if file and os.path.isfile(file) else None
    preamble = {"path": sys.path, "main": main, "package": getattr(module, "__package__", None)}
    try:
        call = _dump((function, args, kwargs), reference_of, importable=main is not None)
    except (pickle.PicklingError, AttributeError, TypeError) as e:
        advice = "" if _cloudpickle() else ". Define functions and classes at the top level of a module, or install cloudpickle"
        raise SheafError(f"the call of {name_of(function)} cannot be pickled: {e}{advice}") from e
    return pickle.dumps(preamble, protocol=4) + call


def name_of(function):
    """The name of a function, of that in a functools.partial, or of the class of a callable object."""
    inner = getattr(function, "func", None)
    return name_of(inner) if callable(inner) else getattr(function, "__qualname__", type(function).__qualname__)


def _cloudpickle():
    try:
        import cloudpickle

        return cloudpickle
    except ImportError:
        return None


def _dump(value, reference_of=None, importable=True):
    """The bytes of a value; by cloudpickle, where installed, if pickle cannot store it.

    ``importable`` is whether other processes can import the main module, that is, run its file.
    """
    try:
        data = _dump_by(pickle.Pickler, value, reference_of)
        if importable or b"\x8c\x08__main__" not in data:  # this string and no longer one that contains it
            return data
        raise pickle.PicklingError("a part of it is defined in an interactive session")
    except (pickle.PicklingError, AttributeError, TypeError):
        if _cloudpickle() is None:
            raise
    return _dump_by(_cloudpickle().CloudPickler, value, reference_of)


def _dump_by(base, value, reference_of):
    class CallPickler(base):
        def persistent_id(self, obj):
            reference = reference_of(obj)
            return None if reference is None else reference.task

    out = io.BytesIO()
    (CallPickler if reference_of else base)(out, protocol=4).dump(value)
    return out.getvalue()


def _names_main(data):
    return b"__main__" in data or MAIN.encode() in data


class _CallUnpickler(pickle.Unpickler):
    def __init__(self, data, folder, preamble):
        super().__init__(io.BytesIO(data))
        self.folder = folder
        self.preamble = preamble
        _enter_main(preamble, data)

    def persistent_load(self, task):
        try:
            data = results_of(self.folder).read(task, True)
        except KeyError:
            raise SheafError(f"the result of task {task}, which is an argument, is not in {self.folder}") from None
        _enter_main(self.preamble, data)
        return pickle.loads(data)


class _WorkersExecutor:
    """Stands for Executor in the main script that a worker runs: a call of it makes a real one."""

    def __new__(cls, **options):
        from .executor import Executor

        return Executor(**options)


def _enter_main(preamble, data):
    """Makes the functions of the caller's script importable as those of ``__main__``, as multiprocessing does, if the data need it."""
    path = preamble["main"]
    if not path or MAIN in sys.modules or not _names_main(data):
        return
    import sheaf

    # The script names the executor but opens none here; the real one would import far more than the call needs.
    sheaf.Executor = _WorkersExecutor
    main = type(sys)(MAIN)
    main.__file__ = path
    main.__package__ = preamble["package"]
    sys.modules["__main__"] = sys.modules[MAIN] = main
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
        function, args, kwargs = _CallUnpickler(rest, folder, preamble).load()
        value = function(*args, **kwargs)
        data = _dump(value)
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
        data = _dump((error, text))
        pickle.loads(data)
        return data
    except Exception:
        # An exception that cannot be stored is described by its text.
        return pickle.dumps((SheafError(f"{type(error).__name__}: {error}"), text), protocol=4)
