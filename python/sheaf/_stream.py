"""A connection to a task queue: one ``sheaf task-stream`` process with JSON lines in both directions."""

import json
import subprocess
import tempfile
import threading

from . import _command
from ._errors import SheafError

PROTOCOL = 1


class TaskStream:
    """A connection that submits and cancels tasks of a queue and reports their states. Thread-safe.

    ``words`` are options of ``sheaf task-stream`` for a new queue. The reader thread calls ``on_state(task, state, reason)`` for
    each change of state (running, success, failed). If the connection ends without ``close``, the reader thread cancels the
    unfinished tasks and calls ``on_end(error)`` once. The writer thread calls ``before_send(tasks)``, which may complete the tasks
    of a message.
    """

    #: The writer sends tasks submitted within this many seconds in one message.
    GATHER_SECONDS = 0.02

    def __init__(self, folder, words, on_state, on_end, before_send=lambda tasks: None):
        self._before_send = before_send
        self._on_state = on_state
        self._on_end = on_end
        self._lock = threading.Condition()
        self._open = set()
        self._tasks = []
        self._cancelled = []
        self._closing = False
        self._ends_queue = False
        self._ended = None
        self._cancel_command = [_command.path(), "task-cancel", "--queue", folder]
        command = [_command.path(), "task-stream", "--queue", folder, *words]
        self._errors = tempfile.TemporaryFile("w+")
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                start_new_session=True,  # this process handles Ctrl-C
            )
        except OSError as e:
            self._errors.close()
            raise SheafError(f"{command[0]} cannot be started: {e}") from e
        self._check_greeting(command[0])
        self._writer = threading.Thread(target=self._write, name="sheaf submit", daemon=True)
        self._reader = threading.Thread(target=self._read, name="sheaf states", daemon=True)
        self._writer.start()
        self._reader.start()

    def _check_greeting(self, program):
        line = self._process.stdout.readline()
        try:
            greeting = json.loads(line)
        except ValueError:
            status = self._stop_process()
            message = self._message() or f"{program} task-stream ended with status {status}"
            self._errors.close()
            raise SheafError(message, status) from None
        if greeting.get("protocol") != PROTOCOL:
            self._stop_process()
            self._errors.close()
            raise SheafError(
                f"{program} is Sheaf {greeting.get('sheaf')} with protocol {greeting.get('protocol')}, this package has "
                f"protocol {PROTOCOL}; install both from the same release"
            )

    def _stop_process(self):
        self._process.stdin.close()
        status = self._process.wait(30)
        self._process.stdout.close()
        return status

    def _message(self):
        self._errors.seek(0)
        return _command.last_line(self._errors.read())

    def submit(self, task):
        """Submits a task: a dict with id, command, cores, memory, gpus, nodes, time, category, after."""
        with self._lock:
            if self._ended is not None:
                raise self._ended
            self._open.add(task["id"])
            self._tasks.append(task)
            if len(self._tasks) == 1:  # otherwise the writer is awake and collects tasks
                self._lock.notify_all()

    def cancel_all(self):
        """Cancels the unfinished tasks of this connection."""
        self.cancel(sorted(self._open))

    def cancel(self, tasks):
        with self._lock:
            if self._ended is None:
                self._cancelled += tasks
                self._lock.notify_all()

    def close(self, timeout=None, end_queue=False):
        """Sends the remaining messages and closes the connection. The queue continues its tasks unless ``end_queue``."""
        with self._lock:
            self._closing = True
            self._ends_queue = end_queue
            self._lock.notify_all()
        self._writer.join(timeout)
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(timeout)
        self._process.stdout.close()
        self._errors.close()

    def _write(self):
        try:
            while True:
                with self._lock:
                    while not (self._tasks or self._cancelled or self._closing or self._ended):
                        self._lock.wait()
                    if self._tasks and not self._closing:
                        self._lock.wait(self.GATHER_SECONDS)
                    tasks, self._tasks = self._tasks, []
                    cancelled, self._cancelled = self._cancelled, []
                    closing = self._closing or self._ended is not None
                if tasks and self._prepare(tasks):
                    self._send({"submit": tasks})
                if cancelled:
                    self._send({"cancel": cancelled})
                if closing and self._ends_queue:
                    self._send({"end": []})
                if closing:
                    self._process.stdin.close()
                    return
        except (OSError, ValueError):
            return  # the reader reports the end of the process

    def _prepare(self, tasks):
        """Calls ``before_send``. If it fails, reports the tasks as failed and returns False."""
        try:
            self._before_send(tasks)
            return True
        except OSError as e:
            for task in tasks:
                self._open.discard(task["id"])
                self._on_state(task["id"], "failed", f"the call cannot be written: {e}")
            return False

    def _send(self, message):
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _read(self):
        for line in self._process.stdout:
            message = json.loads(line)
            if "task" in message:
                if message["state"] in ("success", "failed"):
                    self._open.discard(message["task"])
                self._on_state(message["task"], message["state"], message.get("reason", ""))
        status = self._process.wait()
        with self._lock:
            if self._closing:
                return
            text = self._message() or f"sheaf task-stream ended with status {status}"
            self._ended = SheafError(text, status)
            self._lock.notify_all()
        self._cancel_unfinished()
        self._on_end(self._ended)

    def _cancel_unfinished(self):
        """Cancels the unfinished tasks with ``sheaf task-cancel``, since the connection is lost."""
        if self._open:
            quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            try:
                subprocess.run([*self._cancel_command, *sorted(self._open)], timeout=60, **quiet)
            except (OSError, subprocess.SubprocessError):
                return  # on_end reports the lost connection
