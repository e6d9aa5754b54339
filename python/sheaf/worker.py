"""Runs calls on a compute node: ``python …/sheaf/worker.py FILE:OFFSET:LENGTH:ID.call``, or ``--fork-server`` for several.

It is started by its file name, so that compute nodes need this package in no place but where the executor has it. As a server it
forks a process for each call, which need not start an interpreter; Sheaf's agent says which calls (class ForkServers).
"""

import atexit
import gc
import os
import sys


def main(argv):
    from sheaf import _calls

    call = argv[1] if len(argv) == 2 else ""
    if call == "--fork-server":
        serve(_calls)
        return 0
    if not call.endswith(".call"):
        print("usage: worker.py FILE:OFFSET:LENGTH:ID.call", file=sys.stderr)
        return 2
    return _calls.run(call)


def serve(calls):
    """Forks a process for each line of the standard input."""
    gc.freeze()
    for line in sys.stdin.buffer:
        out, err, call, *variables = (os.fsdecode(field) for field in line[:-1].split(b"\0"))
        pid = os.fork()
        if pid == 0:
            become(out, err, variables)
            leave(calls.run(call))
        os.write(1, b"pid %d\n" % pid)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.write(1, b"end %d\n" % (status if status >= 0 else 128 - status))


def leave(status):
    """Ends a forked process as the interpreter does, but without freeing each object: that takes longer than a short call."""
    try:
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def become(out, err, variables):
    """Gives a forked process its files and variables."""
    files = [(os.devnull, os.O_RDONLY), (out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)]
    files.append((err, os.O_WRONLY | os.O_CREAT | os.O_APPEND))
    for number, (name, flags) in enumerate(files):
        opened = os.open(name, flags, 0o666)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, closefd=False)
    for variable in variables:
        name, _, value = variable.partition("=")
        os.environ[name] = value


if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main(sys.argv))
