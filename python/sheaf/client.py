"""The commands of Sheaf as functions that return plain data.

Each function runs the command of its name with ``--json``. Keyword arguments are the command's options: ``cores_per_node=8`` is
``--cores-per-node 8``. The result is the command's JSON as a dict. Its ``rows`` are a flat list for ``pandas.DataFrame``. A
notebook shows it as a table or, if available, a chart.
"""

import html
import json
import os
import tempfile

from . import _command


class Figures(dict):
    """The JSON of a command as a dict, with its main list as flat ``rows``."""

    def __init__(self, data, rows):
        super().__init__(data)
        self.rows = rows

    def _repr_html_(self):
        return table(self.rows)


class Chart(Figures):
    """Figures with a chart that a notebook shows instead of the table."""

    def __init__(self, data, rows, chart):
        super().__init__(data, rows)
        self.chart = chart

    def _repr_html_(self):
        return self.chart or super()._repr_html_()


def table(rows):
    """Renders rows as an HTML table with a column for each key."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    lines = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_text(row.get(column)))}</td>" for column in columns) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def _text(value):
    return "" if value is None else str(value)


def _words(name, arguments, options):
    return [*name.split(), *(os.fspath(each) for each in arguments), "--json", *_command.option_words(options)]


def _plain(entry):
    """Returns a dict without its values that are lists or dicts."""
    return {key: value for key, value in entry.items() if not isinstance(value, (list, dict))}


def plan(workflow, **options):
    """Plans the jobs that each strategy would submit now, with the expected makespan. A row for each job of each strategy."""
    data = _command.call_json(_words("plan", [workflow], options))
    rows = []
    for entry in data.get("strategies", []):
        jobs = entry.get("jobs") or [{}]
        rows += [{**_plain(entry), **_plain(job)} for job in jobs]
    return Figures(data, rows or data.get("run", []))


def predict(**options):
    """Estimates the start of a job of ``nodes`` nodes for ``time``. One row."""
    data = _command.call_json(_words("predict", [], options))
    return Figures(data, [_plain(data)])


def compare(*workflows, **options):
    """Simulates workflows under several strategies and start times. A row for each workflow and strategy."""
    data = _command.call_json(_words("compare", workflows, options))
    rows = [
        {"workflow": entry["workflow"], **_plain(figures)}
        for entry in data.get("workflows", [])
        for figures in entry.get("strategies", [])
    ]
    return Figures(data, rows)


def simulate(workflow, **options):
    """Simulates one run; a notebook shows its Gantt chart. A row for each job."""
    with tempfile.TemporaryDirectory() as folder:
        svg = os.path.join(folder, "run.svg")
        data = _command.call_json(_words("simulate", [workflow], {**options, "svg": svg}), accepted=(0, 1))
        chart = _read(svg)
    return Chart(data, [_plain(job) for job in data.get("jobs", [])] or [_plain(data)], chart)


def run(workflow, **options):
    """Runs a workflow and returns when it has ended; a notebook shows its report.

    A failed workflow raises no error; its ``state`` shows the failure.
    """
    data = _command.call_json(_words("run", [workflow], options), accepted=(0, 1))
    return Chart(data, [_plain(data)], _report(data))


def _report(data):
    """Returns the HTML report of a run in an iframe; empty if the run has no folder."""
    folder = data.get("folder") or data.get("run")
    if not isinstance(folder, str) or not os.path.isdir(folder):
        return ""
    with tempfile.TemporaryDirectory() as made:
        page = os.path.join(made, "report.html")
        _command.call_json(["report", folder, "--html", page, "--json"])
        text = _read(page)
    return f'<iframe srcdoc="{html.escape(text)}" style="width:100%;height:640px;border:0"></iframe>'


def status(run=None):
    """Returns the status of a run, by default the newest: pilot jobs, tasks, expected end. A row for each pilot job."""
    data = _command.call_json(_words("status", [] if run is None else [run], {}))
    return Figures(data, data.get("pilotJobs", []))


def lab(experiment, output, **options):
    """Runs an experiment with results in the folder ``output``. A row for each run, as in ``runs.csv``."""
    import csv

    data = _command.call_json([*_words("lab run", [experiment], options), "-o", os.fspath(output)])
    with open(os.path.join(output, "runs.csv"), newline="") as file:
        rows = [{key: _number(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return Figures(data, rows)


def _number(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""
