"""Storage of function calls and their results in files.

The executor writes calls, the worker runs them and writes results, and both read results. A call is a part of a file in the
queue's folder: ``FILE:OFFSET:LENGTH:ID.call``, or ``….after`` if it needs results of other calls. A future among the arguments,
at any depth, is stored as a reference to its call.
"""

import io
import os
import sys
import time

try:
    # The C part of pickle: importing the Python part would delay each worker.
    import _pickle as pickle
except ImportError:
    import pickle

from ._errors import RemoteTraceback, SheafError

CALL = ".call"
AFTER = ".after"
#: The module name of the caller's main script in a worker, whose own main program is another one.
MAIN = "__sheaf_main__"


class Reference:
    """A reference to the result of another call, in place of its future among the arguments."""

    def __init__(self, task):
        self.task = task


class Results:
    """The results of calls in a folder, with one file per worker process.

    A file has one record per call: the line ``ID OUTCOME LENGTH`` and the pickled result of that length. OUTCOME is 1 for success,
    0 for failure. Incomplete records are not read. Not thread-safe.
    """

    #: The maximum delay, in seconds, until a network file system shows a result of another node.
    TIMEOUT = 10

    def __init__(self, calls):
        self.folder = os.path.join(calls, "results")
        self._read = {}
        self._found = {}

    def add(self, name, task, ok, data):
        """Appends a result to the file ``name``, which no other process writes."""
        file = os.open(os.path.join(self.folder, name), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            record = b"%s %d %d\n%b" % (task.encode(), ok, len(data), data)
            while record:
                record = record[os.write(file, record) :]
        finally:
            os.close(file)

    def load(self, task, ok, timeout=TIMEOUT):
        """Returns the value, or the exception with the remote traceback as its cause; raises KeyError without a result."""
        value = pickle.loads(self.read(task, ok, timeout))
        if ok:
            return value
        error, text = value
        error.__cause__ = RemoteTraceback(text)
        return error

    def read(self, task, ok, timeout=TIMEOUT):
        """Returns the pickled result; raises KeyError without a result."""
        path, offset, length = self._find(task, ok, timeout)
        with open(path, "rb") as file:
            file.seek(offset)
            return file.read(length)

    def forget(self, task):
        for ok in (True, False):
            self._found.pop((task, ok), None)

    def _find(self, task, ok, timeout):
        if (task, ok) not in self._found:
            self.refresh()
        pause = 0.05
        while (task, ok) not in self._found:
            # After a change of the folder, a network file system reads it again.
            mark = os.path.join(self.folder, f".{os.getpid()}")
            os.close(os.open(mark, os.O_CREAT | os.O_WRONLY))
            os.unlink(mark)
            self.refresh()
            if (task, ok) not in self._found:
                if timeout <= 0:
                    raise KeyError(task)
                time.sleep(pause)
                timeout -= pause
                pause *= 2
        return self._found[task, ok]

    def refresh(self):
        """Reads the headers of the records added since the last call."""
        for name in os.listdir(self.folder):
            if name.startswith("."):
                continue
            path = os.path.join(self.folder, name)
            offset = self._read.get(name, 0)
            with open(path, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                while offset < size:
                    file.seek(offset)
                    header = file.readline()
                    if not header.endswith(b"\n"):
                        break
                    task, ok, length = header.split()
                    begin = offset + len(header)
                    offset = begin + int(length)
                    if offset > size:
                        break
                    self._found[task.decode(), ok == b"1"] = (path, begin, int(length))
                    self._read[name] = offset


_results = {}
_prepared = {}


def results_of(folder):
    """Returns the Results of a folder. A forked process inherits what its parent has read."""
    if folder not in _results:
        _results[folder] = Results(folder)
    return _results[folder]


def prepare(call):
    """Prepares a fork server for calls: reads new results and, once, loads what the main script needs."""
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
            pass  # each call that uses the main script reports the error


def _prepare_main(preamble):
    """Compiles the main script and imports its modules of the standard library.

    Each call runs the script and imports the other modules itself. They may have state that calls must not share, such as a
    random number generator.
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
            if root in sys.stdlib_module_names - {"antigravity", "this"}:  # an import of these two has visible effects
                origin = importlib.util.find_spec(root).origin or ""
                if origin in ("built-in", "frozen") or origin.startswith(os.path.dirname(os.__file__) + os.sep):
                    __import__(name)
    finally:
        sys.path[:] = before
        gc.freeze()  # a garbage collection in a forked process would copy the modules' memory


def place(file, offset, length, task, after):
    """Returns the worker's argument for a call, which is a part of a file."""
    return f"{file}:{offset}:{length}:{task}{AFTER if after else CALL}"


def dump_call(function, args, kwargs, reference_of):
    """Pickles a call. ``reference_of(object)`` returns the Reference that replaces an object, or None."""
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
    """Returns the name of a function, of the function in a functools.partial, or of a callable object's class."""
    inner = getattr(function, "func", None)
    return name_of(inner) if callable(inner) else getattr(function, "__qualname__", type(function).__qualname__)


def _cloudpickle():
    try:
        import cloudpickle

        return cloudpickle
    except ImportError:
        return None


def _dump(value, reference_of=None, importable=True):
    """Pickles a value, with cloudpickle if pickle cannot and cloudpickle is installed.

    ``importable`` is whether other processes can import the main module, that is, run its file.
    """
    try:
        data = _dump_with(pickle.Pickler, value, reference_of)
        if importable or b"\x8c\x08__main__" not in data:  # the whole string, with its length
            return data
        raise pickle.PicklingError("a part of it is defined in an interactive session")
    except (pickle.PicklingError, AttributeError, TypeError):
        if _cloudpickle() is None:
            raise
    return _dump_with(_cloudpickle().CloudPickler, value, reference_of)


def _dump_with(pickler, value, reference_of):
    class CallPickler(pickler):
        def persistent_id(self, obj):
            reference = reference_of(obj)
            return None if reference is None else reference.task

    out = io.BytesIO()
    (CallPickler if reference_of else pickler)(out, protocol=4).dump(value)
    return out.getvalue()


def _names_main(data):
    return b"__main__" in data or MAIN.encode() in data


class _CallUnpickler(pickle.Unpickler):
    """Unpickles a call and the results of other calls to which it refers."""

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
    """Executor in a main script that a worker runs; its constructor returns a real Executor."""

    def __new__(cls, **options):
        from .executor import Executor

        return Executor(**options)


def _enter_main(preamble, data):
    """Runs the caller's main script as the module ``__main__``, as multiprocessing does, if the pickled data refer to it."""
    path = preamble["main"]
    if not path or MAIN in sys.modules or not _names_main(data):
        return
    import sheaf

    # The script refers to Executor but opens none here. Importing the real class would delay the call.
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
    """Returns the preamble of a call (see ``dump_call``) and the bytes of the pickled call."""
    with open(source, "rb") as file:
        file.seek(int(offset))
        data = io.BytesIO(file.read(int(length)))
    return pickle.load(data), data.read()


def run(call, name):
    """Runs a call (see ``place``), adds its result to the file ``name``, and returns the worker's exit status."""
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
    except BaseException as e:  # the caller gets any exception of the function
        import traceback

        text = "".join(traceback.format_exception(type(e), e, e.__traceback__))
        print(text, end="", file=sys.stderr)
        results.add(name, task, False, _failure(e, text))
        return 1
    results.add(name, task, True, data)
    return 0


def _failure(error, text):
    """Pickles an exception and its traceback text; replaces an exception that cannot be pickled by a SheafError."""
    error.__traceback__ = error.__cause__ = error.__context__ = None
    try:
        data = _dump((error, text))
        pickle.loads(data)
        return data
    except Exception:
        return pickle.dumps((SheafError(f"{type(error).__name__}: {error}"), text), protocol=4)
