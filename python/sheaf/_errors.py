"""The errors that this package raises."""


class SheafError(RuntimeError):
    """Sheaf could not do what was requested: the command is missing or failed, or its input is wrong.

    ``status`` is the exit status of the command, or None: 2 usage, 3 bad input, 4 cluster unreachable,
    5 interrupted and resumable.
    """

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


class TaskFailed(SheafError):
    """A task ended without a result: it was killed, ran out of memory or time, or was refused."""


class DependencyFailed(TaskFailed):
    """A task was skipped because a task that it depends on failed or was cancelled."""


class RemoteTraceback(Exception):
    """The traceback of an exception where it was raised; the ``__cause__`` of the exception here."""

    def __init__(self, text):
        super().__init__(text)
        self.text = text

    def __str__(self):
        return "\n" + self.text
