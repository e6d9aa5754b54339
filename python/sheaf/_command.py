"""Functions that find and run the ``sheaf`` command."""

import json
import os
import shutil
import subprocess

from ._errors import SheafError


def path():
    """Returns the path of the command: the environment variable SHEAF, or ``sheaf`` on the PATH."""
    named = os.environ.get("SHEAF")
    if named:
        if os.access(named, os.X_OK) and os.path.isfile(named):
            return named
        raise SheafError(f"SHEAF={named}: there is no such program")
    found = shutil.which("sheaf")
    if found is None:
        raise SheafError("the sheaf command is not on the PATH; install Sheaf, or set SHEAF to its file")
    return found


def option_words(options):
    """Converts keyword arguments to command-line words: cores_per_node=8 becomes --cores-per-node 8."""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple)):
            words += [option, ",".join(str(each) for each in value)]
        elif value is not None and value is not False:
            words += [option, str(value)]
    return words


def call_json(words, cwd=None, accepted=(0,)):
    """Runs a command whose words include ``--json`` and returns its parsed output."""
    program = path()
    done = subprocess.run([program, *words], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in accepted:
        raise SheafError(last_line(done.stderr) or f"sheaf {words[0]} ended with status {done.returncode}", done.returncode)
    try:
        return json.loads(done.stdout)
    except ValueError as e:
        raise SheafError(f"sheaf {words[0]} --json printed no JSON; is {program} another version of Sheaf?") from e


def last_line(text):
    """Returns the last line of a command's standard error, without the prefix ``sheaf: ``."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].removeprefix("sheaf: ") if lines else ""
