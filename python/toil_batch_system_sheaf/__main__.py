"""Runs a Toil program with support for ``--batchSystem sheaf``: ``python3 -m toil_batch_system_sheaf toil-cwl-runner …``."""

import importlib.metadata
import sys

import toil_batch_system_sheaf
from sheaf import SheafError


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: python3 -m toil_batch_system_sheaf toil-cwl-runner|toil-wdl-runner|SCRIPT.py [ARGUMENT …]")
    toil_batch_system_sheaf.register()
    program = sys.argv[1]
    sys.argv = sys.argv[1:]
    if program.endswith(".py"):
        import runpy

        return runpy.run_path(program, run_name="__main__")
    found = [
        point
        for point in importlib.metadata.distribution("toil").entry_points
        if point.group == "console_scripts" and point.name == program
    ]
    if not found:
        sys.exit(f"toil_batch_system_sheaf: Toil has no program '{program}'")
    return sys.exit(found[0].load()())


if __name__ == "__main__":
    try:
        main()
    except SheafError as error:
        sys.exit(f"toil_batch_system_sheaf: {error}")
