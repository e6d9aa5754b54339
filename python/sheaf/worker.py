"""Runs one call on a compute node: ``python …/sheaf/worker.py FILE.call``.

It is started by its file name, so that compute nodes need this package in no place but where the executor has it.
"""

import os
import sys


def main(argv):
    if len(argv) != 2 or not argv[1].endswith(".call"):
        print("usage: worker.py FILE.call", file=sys.stderr)
        return 2
    from sheaf import _calls

    return _calls.run(argv[1])


if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main(sys.argv))
