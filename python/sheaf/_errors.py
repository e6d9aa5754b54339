"""The exceptions of this package."""


class SheafError(RuntimeError):
    """An error of Sheaf: the command is missing or failed, or its input is wrong.

    ``status`` is the exit status of the command, or None: 2 usage, 3 bad input, 4 cluster unreachable,
    5 interrupted and resumable.
    """

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


class TaskFailed(SheafError):
    """The error of a call whose task was killed, exceeded its memory or time, or was refused."""


class DependencyFailed(TaskFailed):
    """The error of a call that was skipped because a call that it depends on failed or was cancelled."""


class RemoteTraceback(Exception):
    """The traceback of an exception on the compute node: the ``__cause__`` of the exception that the caller gets."""

    def __init__(self, text):
        super().__init__(text)
        self.text = text

    def __str__(self):
        return "\n" + self.text
