"""The program that runs calls on a compute node: ``python …/sheaf/worker.py FILE:OFFSET:LENGTH:ID.call``.

Sheaf starts it by its file name, so compute nodes use the package in the executor's folder. With the argument ``--fork-server`` it
forks a process for each call that Sheaf's agent sends (class ForkServers), which avoids the start of an interpreter.
"""

import atexit
import gc
import os
import sys
import time

# Only the fork server imports other modules: they would delay each call that is not forked.

_EXITS = "SHEAF_EXITS"


def main(argv):
    from sheaf import _calls

    call = argv[1] if len(argv) == 2 else ""
    name = os.urandom(8).hex()
    if call == "--fork-server":
        serve(_calls, name)
        return 0
    if not call.endswith((_calls.CALL, _calls.AFTER)):
        print("usage: worker.py FILE:OFFSET:LENGTH:ID.call", file=sys.stderr)
        return 2
    return _calls.run(call, name)


def serve(calls, name):
    """Forks a process for each line of standard input and reports its process id and exit status on standard output.

    The fields of a line are the output file, the error file, the call and environment variables, separated by NUL.
    """
    import signal

    ended = {signal.SIGCHLD}
    signal.pthread_sigmask(signal.SIG_BLOCK, ended)
    gc.freeze()
    logs = None
    for line in sys.stdin.buffer:
        out, err, call, *variables = (os.fsdecode(field) for field in line[:-1].split(b"\0"))
        logs = logs or Logs(os.path.join(os.path.dirname(out), f".{name}"))
        calls.prepare(call)
        pid = os.fork()
        if pid == 0:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ended)
            redirect(logs)
            run_and_exit(lambda: calls.run(call, name), variables, signal)
        os.write(1, b"pid %d\n" % pid)
        if signal.sigtimedwait(ended, Logs.SHORT_SECONDS) is None:
            logs.name(out, err, lambda size: True)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        signal.sigtimedwait(ended, 0)
        logs.name(out, err, lambda size: size > 0)
        if status not in (0, 1):
            name = os.urandom(8).hex()  # the last result in the file may be incomplete
        os.write(1, b"end %d\n" % (status if status >= 0 else 128 - status))
    if logs:
        logs.remove()


class Logs:
    """Output files that consecutive calls share.

    The server renames them to a call's files if the call writes to them or runs longer than SHORT_SECONDS. Creating and removing
    two files for each call would take longer than a short call.
    """

    SHORT_SECONDS = 0.2

    def __init__(self, base):
        self.paths = (base + ".out", base + ".err")

    def name(self, out, err, wanted):
        """Renames each file to a call's file if ``wanted(size)``."""
        for path, name in zip(self.paths, (out, err)):
            try:
                if wanted(os.path.getsize(path)):
                    os.replace(path, name)
            except FileNotFoundError:
                pass  # renamed before

    def remove(self):
        for path in self.paths:
            try:
                os.unlink(path)
            except FileNotFoundError:
                pass


def redirect(logs):
    """Redirects the standard streams of a forked process."""
    files = [(os.devnull, os.O_RDONLY), *((path, os.O_WRONLY | os.O_CREAT | os.O_APPEND) for path in logs.paths)]
    for number, (name, flags) in enumerate(files):
        opened = os.open(name, flags, 0o666)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, closefd=False)


def run_and_exit(run, variables, signal):
    """Runs a call in a forked process and ends the process.

    The end is like the interpreter's, but without freeing each object, which takes longer than a short call.
    """
    status = 2
    try:
        os.environ.update(variable.split("=", 1) for variable in variables)
        record = ExitRecord(os.environ.pop(_EXITS, ""), signal)
        status = run()
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        if status == 0:
            record.add()
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = status or 2
    finally:
        os._exit(status)


class ExitRecord:
    """The exit record of a call that succeeded. Sheaf reads it if the agent was killed (class ExitRecords).

    A call that changes a signal handler gets no record: a signal may have ended it early.
    """

    def __init__(self, place, signal):
        self._line, _, self._file = place.partition("\t")
        self._begin = time.clock_gettime(time.CLOCK_BOOTTIME)
        ending = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGXCPU")
        self._handlers = lambda: [signal.getsignal(getattr(signal, each)) for each in ending]
        self._before = self._handlers()

    def add(self):
        if self._file and self._handlers() == self._before:
            end = time.clock_gettime(time.CLOCK_BOOTTIME)
            with open(self._file, "a") as records:
                records.write(f"{self._line} {self._begin:.2f} {end:.2f}.\n")


if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main(sys.argv))
