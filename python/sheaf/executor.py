"""A ``concurrent.futures.Executor`` that runs Python functions as tasks on a cluster."""

import atexit
import concurrent.futures
import itertools
import os
import sys
import threading
import weakref

from . import _calls
from ._errors import DependencyFailed, SheafError, TaskFailed

# The constructor of an executor imports other modules: a worker runs the main script, which may import this module.

_WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")
_DEFAULTS = {"cores": 1, "memory": None, "gpus": 0, "nodes": 1, "time": "10m", "category": None, "retries": 0}


class Future(concurrent.futures.Future):
    """The future result of a call. A call waits for the futures among its arguments, also inside containers."""

    def __init__(self, connection, task):
        super().__init__()
        self._connection = connection
        self._starting = threading.RLock()
        self.task = task

    def cancel(self):
        """Cancels the call and the calls that depend on it, unless it is running."""
        with self._starting:
            if self.cancelled():
                return True
            cancelled = super().cancel()
            if cancelled:
                self.set_running_or_notify_cancel()  # otherwise wait() and as_completed() would not return it
        if cancelled:
            self._connection.cancel(self)
        return cancelled

    def _start(self):
        """Marks the call as running; returns False if it was cancelled or has ended."""
        with self._starting:
            return self.running() or (not self.done() and self.set_running_or_notify_cancel())

    def __reduce__(self):
        raise SheafError("a future can be passed to calls of its own executor only")


class Executor(concurrent.futures.Executor):
    """An executor whose calls are tasks that Sheaf runs in pilot jobs.

    Keyword arguments are options of ``sheaf submit-task``: ``on`` ("local", "slurm", "gridengine", "oar"), ``partition``,
    ``account``, ``qos``, ``nodes``, ``cores_per_node``, ``strategy``, ``hold``, ``gather`` …

    ``folder`` has the queue, calls and results, and must be on a file system that the compute nodes share. The default is a new
    folder in ``.sheaf`` of the current folder, which ``shutdown`` removes unless ``keep`` is true.

    A call runs in a new Python process, forked from one that stays on the node. The interpreter is ``python``, by default this
    one. The process has the current folder and this process' ``sys.path``.

    Functions and arguments are pickled. If functions are in the main script, it needs the guard
    ``if __name__ == "__main__":``. Lambdas and local functions need ``cloudpickle``.
    """

    def __init__(self, *, folder=None, keep=False, python=None, **options):
        if "max_workers" in options:
            raise TypeError("Sheaf decides how many calls run at once; limit it by nodes=N instead of max_workers=N")
        self._connection = _Connection(folder, keep, python or sys.executable, options)
        self._connection.executors.add(self)
        self._resources = dict(_DEFAULTS)

    def resources(self, **resources):
        """Returns an executor for calls with other resources, which uses the same queue.

        The resources are ``cores``, ``memory``, ``gpus``, ``nodes``, ``time``, ``category`` and ``retries``. ``shutdown`` of this
        executor ends both.
        """
        unknown = set(resources) - set(_DEFAULTS)
        if unknown:
            raise TypeError(f"unknown resource {sorted(unknown)[0]!r}; possible resources: {', '.join(_DEFAULTS)}")
        return _SharingExecutor(self._connection, {**self._resources, **resources})

    def submit(self, fn, /, *args, **kwargs):
        """Submits a call with this executor's resources and returns its Future."""
        return self._connection.submit(fn, args, kwargs, self._resources)

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        """Like ``concurrent.futures.Executor.map``; one task runs ``chunksize`` calls."""
        if chunksize < 1:
            raise ValueError("chunksize must be 1 or more")
        if chunksize == 1:
            return super().map(fn, *iterables, timeout=timeout)
        rows = zip(*iterables)
        chunks = iter(lambda: tuple(itertools.islice(rows, chunksize)), ())
        return itertools.chain.from_iterable(super().map(_Chunk(fn), chunks, timeout=timeout))

    def shutdown(self, wait=True, *, cancel_futures=False):
        """Rejects further calls. With ``wait``, returns when all calls have ended."""
        self._shutdown(wait, cancel_futures, False)

    def __exit__(self, kind, value, trace):
        # An interrupt cancels all calls, also running ones.
        interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        self._shutdown(True, interrupted, interrupted)
        return False

    def _shutdown(self, wait, cancel_futures, kill):
        self._connection.shutdown(wait, cancel_futures, kill)


class _SharingExecutor(Executor):
    """An executor that uses the queue of another one.

    Its ``shutdown`` concerns its own calls. It ends the queue only if no other executor uses the queue, as in
    ``with Executor(on="slurm").resources(cores=4) as executor``.
    """

    def __init__(self, connection, resources):
        self._connection = connection
        self._resources = resources
        self._unfinished = set()
        self._down = False
        connection.executors.add(self)

    def submit(self, fn, /, *args, **kwargs):
        if self._down:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = super().submit(fn, *args, **kwargs)
        self._unfinished.add(future)
        future.add_done_callback(self._unfinished.discard)
        return future

    def _shutdown(self, wait, cancel_futures, kill):
        self._down = True
        self._connection.executors.discard(self)
        if not self._connection.executors:
            super()._shutdown(wait, cancel_futures, kill)
            return
        if cancel_futures:
            self._connection.cancel_all(self._unfinished.copy(), kill)
        if wait:
            try:
                concurrent.futures.wait(self._unfinished.copy(), 60 if kill else None)
            except KeyboardInterrupt:
                self._connection.cancel_all(self._unfinished.copy(), True)
                concurrent.futures.wait(self._unfinished.copy(), 60)
                raise


class _Chunk:
    """A function that one task applies to several rows of arguments."""

    def __init__(self, fn):
        self.fn = fn
        self.__qualname__ = _calls.name_of(fn)

    def __call__(self, rows):
        return [self.fn(*row) for row in rows]


class _Connection:
    """The connection to the queue of an executor and of those that its ``resources`` returns."""

    def __init__(self, folder, keep, python, options):
        if not os.path.isfile(_WORKER):
            raise SheafError(f"{_WORKER} is in an archive and cannot be run there; install the wheel with pip")
        self._keep = keep or folder is not None
        self.folder = os.path.abspath(folder or os.path.join(".sheaf", "python-" + os.urandom(6).hex()))
        self._calls = os.path.join(self.folder, "calls")
        self._results = _calls.Results(self._calls)
        self._python = python
        self._lock = threading.Lock()
        self._reading = threading.Lock()
        self._open = {}
        self.executors = weakref.WeakSet()  # the executors that are not shut down
        self._down = False
        self._none_open = threading.Event()
        self._none_open.set()
        sys.modules[_calls.MAIN] = sys.modules["__main__"]  # the module of the main script's classes in results
        os.makedirs(self._results.folder, exist_ok=True)
        from . import _command
        from ._stream import TaskStream

        try:
            words = _command.option_words(options)
            self._stream = TaskStream(self.folder, words, self._on_state, self._on_end, self._write_calls)
        except BaseException:
            self._remove()
            raise
        self._process = os.getpid()
        atexit.register(self._at_exit)

    def submit(self, function, args, kwargs, resources):
        future = Future(self, "py" + os.urandom(7).hex())
        after = []

        def reference_of(obj):
            if not isinstance(obj, Future):
                return None
            if obj._connection is not self:
                raise SheafError("an argument is a future of another executor")
            after.append(obj.task)
            return _calls.Reference(obj.task)

        data = _calls.dump_call(function, args, kwargs, reference_of)
        with self._lock:
            if self._down:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._open[future.task] = future
            self._none_open.clear()
        try:
            self._stream.submit(
                {
                    **resources,
                    "id": future.task,
                    "category": resources["category"] or _calls.name_of(function),
                    "command": ["sheaf-fork", self._python, _WORKER],
                    "data": data,
                    "folder": os.getcwd(),
                    "after": sorted(set(after)),
                }
            )
        except BaseException:
            self._forget(future.task)
            raise
        return future

    def _write_calls(self, tasks):
        """Writes the calls of a message to one file: one file per call would take longer than a short call."""
        name = os.path.join(self._calls, tasks[0]["id"])
        with open(name, "wb") as file:
            for task in tasks:
                data = task.pop("data")
                task["command"].append(_calls.place(name, file.tell(), len(data), task["id"], task["after"]))
                file.write(data)

    def cancel(self, future):
        self._stream.cancel([future.task])

    def _forget(self, task):
        with self._lock:
            future = self._open.pop(task, None)
            if not self._open:
                self._none_open.set()
        return future

    def _on_state(self, task, state, reason):
        if state == "running":
            with self._lock:
                future = self._open.get(task)
            if future is not None:
                future._start()
            return
        future = self._forget(task)
        if future is None or not future._start():
            return
        ok, value = self._result(task, state, reason)
        if ok:
            future.set_result(value)
        else:
            future.set_exception(value)

    def _result(self, task, state, reason):
        """Returns whether the call succeeded, and its value or exception."""
        ok = state == "success"
        with self._reading:
            try:
                return ok, self._results.load(task, ok, _calls.Results.TIMEOUT if ok else 0)
            except (KeyError, FileNotFoundError):
                pass
            except Exception as e:
                return False, TaskFailed(f"the result of task {task} cannot be read: {e}")
            finally:
                self._results.forget(task)
        if ok:
            return False, TaskFailed(
                f"task {task} ended with status 0 and without a result: the function ended its process, as os._exit does, or "
                f"{self._calls} is not on a shared file system"
            )
        if "depends on" in reason:
            return False, DependencyFailed(reason)
        return False, TaskFailed(reason or f"task {task} failed")

    def _on_end(self, error):
        with self._lock:
            futures = list(self._open.values())
            self._open.clear()
            self._down = True
        for future in futures:
            if future._start():
                future.set_exception(error)
        self._none_open.set()

    def shutdown(self, wait, cancel_futures, kill=False):
        with self._lock:
            first = not self._down
            self._down = True
        if cancel_futures:
            self.cancel_all(self._unfinished(), kill)
        if wait:
            self._finish(60 if kill else None)
        elif first:
            threading.Thread(target=self._finish, name="sheaf shutdown", daemon=False).start()

    def _unfinished(self):
        with self._lock:
            return list(self._open.values())

    def cancel_all(self, futures, running_too):
        """Cancels unfinished calls, with ``running_too`` also running ones. The queue reports their end."""
        running = [future.task for future in futures if not future.cancel()]
        if running_too and running:
            self._stream.cancel(running)

    def _finish(self, timeout=None):
        try:
            self._none_open.wait(timeout)
        except KeyboardInterrupt:
            self.cancel_all(self._unfinished(), True)
            self._none_open.wait(60)
            raise
        finally:
            self._stream.close(30, end_queue=not self._keep)
            self._remove()
            atexit.unregister(self._at_exit)

    def _at_exit(self):
        """Shuts down an executor that the program did not shut down; an interrupt of the program cancels its calls."""
        interrupted = issubclass(getattr(sys, "last_type", None) or Exception, KeyboardInterrupt)
        if os.getpid() == self._process:  # not in a forked process
            self.shutdown(True, interrupted, interrupted)

    def _remove(self):
        if not self._keep:
            import shutil

            shutil.rmtree(self.folder, ignore_errors=True)
