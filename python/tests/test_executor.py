"""Tests of the executor on the embedded cluster, with the real command (SHEAF names it)."""

import concurrent.futures
import functools
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import unittest.mock

import sheaf._calls
from sheaf.executor import _Chunk
from sheaf import DependencyFailed, Executor, RemoteTraceback, SheafError, TaskFailed


#: The executor's options for the cluster.
CLUSTER = json.loads(os.environ.get("SHEAF_TEST_CLUSTER", '{"nodes": 2, "cores_per_node": 2}'))


def add(a, b):
    return a + b


def apply(function, value):
    return function(value)


class Adder:
    def __call__(self, a, b):
        return a + b


def total(numbers):
    return sum(numbers)


def fail():
    raise ValueError("no luck")


def die():
    os._exit(7)


def pause(seconds):
    time.sleep(seconds)
    return seconds


def count_and_pause(path, seconds):
    with open(path, "a") as file:
        file.write("1")
    return pause(seconds)


def print_both():
    print("out")
    print("err", file=sys.stderr)


def states(queue):
    """Returns the last state of each task of a queue."""
    with open(os.path.join(queue, "states")) as file:
        return dict(line.split(" ")[:2] for line in file)


def processes():
    """Yields the id and the command-line words of each process."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as file:
                yield int(pid), file.read().split("\0")
        except OSError:
            pass  # the process has ended


class Unloadable(Exception):
    def __init__(self, a, b):
        super().__init__(a)


def fail_unloadable():
    raise Unloadable(1, 2)


class WorkerTest(unittest.TestCase):
    def test_a_worker_imports_only_what_a_call_needs(self):
        code = "import sys, sheaf._calls; print(*{'pickle', 're', 'subprocess', 'sheaf.executor', 'traceback'} & set(sys.modules))"
        done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual("", done.stdout.strip())

    def test_categories(self):
        calls = add, functools.partial(functools.partial(add, 1), 2), Unloadable, _Chunk(add), Adder()
        self.assertEqual(
            [sheaf._calls.name_of(each) for each in calls],
            ["add", "add", "Unloadable", "add", "Adder"],
        )

    def test_calls_share_modules_of_the_standard_library_only(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "wave.py", "mine.py":  # wave is also a module of the standard library
                with open(os.path.join(folder, name), "w") as file:
                    file.write("state = object()\n")
            main = os.path.join(folder, "main.py")
            with open(main, "w") as file:
                file.write("import this, colorsys, wave, mine, missing\nfrom xml.sax import handler\n")
            code = f"""
                import io, os, sys
                from sheaf import _calls
                path = {folder!r} + "/calls"
                with open(path, "wb") as file:
                    file.write(_calls.pickle.dumps({{"path": [{folder!r}, *sys.path], "main": {main!r}}}) + b"__main__")
                _calls.prepare(_calls.place(path, 0, os.path.getsize(path), "t", False))
                print(*sorted({{"this", "colorsys", "wave", "mine", "xml.sax.handler"}} & set(sys.modules)))
            """
            done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
        self.assertEqual("colorsys xml.sax.handler\n", done.stdout)


class ExecutorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.executor = Executor(folder=os.path.join(cls.folder.name, "queue"), **CLUSTER)

    @classmethod
    def tearDownClass(cls):
        cls.executor.shutdown()
        cls.folder.cleanup()

    def test_calls_and_dependencies(self):
        first = self.executor.submit(add, 1, 2)
        second = self.executor.submit(add, first, b=10)
        third = self.executor.submit(total, [first, second, 100])
        self.assertEqual(third.result(60), 3 + 13 + 100)
        self.assertTrue(first.done() and second.done())

    def test_map_in_order_and_in_chunks(self):
        self.assertEqual(list(self.executor.map(add, range(6), range(6))), [0, 2, 4, 6, 8, 10])
        self.assertEqual(list(self.executor.map(add, range(7), range(7), chunksize=3)), [0, 2, 4, 6, 8, 10, 12])

    def test_resources(self):
        two = self.executor.resources(cores=2, memory="500M", time="1m", category="pair")
        self.assertEqual(two.submit(add, 2, 2).result(60), 4)
        with self.assertRaisesRegex(TypeError, "unknown resource 'cpus'"):
            self.executor.resources(cpus=2)
        with self.assertRaisesRegex(TypeError, "nodes=N instead of max_workers"):
            Executor(max_workers=2)

    def test_shutdown_of_an_executor_that_shares_a_queue_concerns_its_own_calls(self):
        unrelated = self.executor.submit(pause, 120)
        with self.executor.resources(time="1m") as first, first.resources(category="second") as second:
            calls = [first.submit(pause, 0.5), second.submit(pause, 1)]
        self.assertTrue(all(call.done() for call in calls))
        self.assertFalse(unrelated.done())
        for ended in first, second:
            with self.assertRaisesRegex(RuntimeError, "after shutdown"):
                ended.submit(add, 1, 2)
        with self.assertRaises(KeyboardInterrupt), self.executor.resources(time="5m") as third:
            call = third.submit(pause, 120)
            while not call.running():
                time.sleep(0.05)
            raise KeyboardInterrupt
        self.assertIsInstance(call.exception(0), TaskFailed)
        self.assertEqual(self.executor.submit(add, 1, 2).result(60), 3)
        self.executor._connection.cancel_all([unrelated], True)

    def test_a_call_that_needs_more_than_the_cluster_has_fails_with_the_reason(self):
        with self.assertRaisesRegex(TaskFailed, "3 cores on a node; the largest node has 2"):
            self.executor.resources(cores=3).submit(add, 1, 1).result(60)

    def test_an_exception_comes_with_its_traceback(self):
        failed = self.executor.submit(fail)
        behind = self.executor.submit(add, failed, 1)
        with self.assertRaisesRegex(ValueError, "no luck") as raised:
            failed.result(60)
        self.assertIsInstance(raised.exception.__cause__, RemoteTraceback)
        self.assertIn("in fail", str(raised.exception.__cause__))
        with self.assertRaises(DependencyFailed):
            behind.result(60)

    def test_an_exception_that_cannot_be_pickled_keeps_its_text(self):
        with self.assertRaisesRegex(SheafError, "Unloadable"):
            self.executor.submit(fail_unloadable).result(60)

    def test_a_process_that_exits_is_a_failed_task(self):
        with self.assertRaisesRegex(TaskFailed, "exit status 7"):
            self.executor.submit(die).result(60)

    def test_a_cancelled_call_does_not_run(self):
        slow = self.executor.submit(pause, 2)
        behind = self.executor.submit(add, slow, 1)
        self.assertTrue(behind.cancel())
        self.assertTrue(behind.cancelled())
        self.assertEqual(slow.result(60), 2)

    def test_a_cancelled_call_is_done_at_once(self):
        slow = [self.executor.submit(pause, 1) for _ in range(5)]
        behind = self.executor.submit(add, slow[4], 1)
        self.assertTrue(behind.cancel() and behind.cancel())
        self.assertEqual(concurrent.futures.wait([behind], 30).done, {behind})
        self.assertEqual(list(concurrent.futures.as_completed([behind], 30)), [behind])
        self.assertEqual([each.result(60) for each in slow], [1] * 5)

    def test_a_process_that_ends_itself_without_a_result(self):
        with unittest.mock.patch("sheaf._calls.Results.TIMEOUT", 0):
            with self.assertRaisesRegex(TaskFailed, "status 0 and without a result: the function ended its process"):
                self.executor.submit(os._exit, 0).result(60)

    def test_a_call_that_cannot_be_pickled_is_refused_at_once(self):
        with unittest.mock.patch("sheaf._calls._cloudpickle", return_value=None):
            with self.assertRaisesRegex(SheafError, "<lambda> cannot be pickled: .* or install cloudpickle"):
                self.executor.submit(lambda: 1)
        with self.assertRaisesRegex(SheafError, "cannot be pickled"):
            with open(os.devnull) as file:
                self.executor.submit(add, 1, file)

    if importlib.util.find_spec("cloudpickle"):

        def test_a_lambda_with_cloudpickle(self):
            two = 2
            self.assertEqual(self.executor.submit(lambda x: x * two, 21).result(60), 42)
            self.assertEqual(self.executor.submit(apply, lambda x: x * two, 4).result(60), 8)


class LifeTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def script(self, text):
        file = os.path.join(self.folder.name, "main.py")
        with open(file, "w") as out:
            out.write(textwrap.dedent(text))
        return file

    def start(self, text, *words):
        package = os.path.dirname(os.path.dirname(os.path.abspath(sheaf.__file__)))
        script = self.script(text)
        return subprocess.Popen(
            ["env", "--default-signal=INT", sys.executable, *(words or [script])],  # background processes ignore SIGINT
            cwd=self.folder.name,
            env={**os.environ, "PYTHONPATH": package},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_functions_of_the_main_script_and_nothing_left_behind(self):
        done = self.start(
            """
            import sys
            from sheaf import Executor

            def double(x):
                return 2 * x

            def is_slow():
                return "concurrent.futures" in sys.modules

            if __name__ == "__main__":
                with Executor(nodes=1) as executor:
                    print(executor.submit(double, 21).result(), executor.submit(is_slow).result())
            """
        )
        out, err = done.communicate(timeout=120)
        self.assertEqual((done.returncode, out), (0, "42 False\n"), err)
        self.assertEqual(os.listdir(os.path.join(self.folder.name, ".sheaf")), [])

    def test_classes_of_the_main_script_as_arguments_and_results(self):
        with open(os.path.join(self.folder.name, "names.py"), "w") as file:
            file.write("name = 'x'\n")
        process = self.start(
            """
            import dataclasses
            from sheaf import Executor
            from .names import name

            @dataclasses.dataclass
            class Point:
                x: object

            class Far(Exception):
                pass

            def move(point):
                return Point(point.x + 1)

            def fail():
                raise Far(name)

            if __name__ == "__main__":
                with Executor(nodes=1) as executor:
                    moved = executor.submit(move, executor.submit(move, Point(executor.submit(abs, -1))))
                    print(moved.result(), executor.submit(str, moved).result())
                    try:
                        executor.submit(fail).result()
                    except Far as e:
                        print(repr(e))
            """,
            "-c",
            "import sys, runpy; sys.path.insert(0, '..'); runpy.run_module(sys.argv[1] + '.main', run_name='__main__', alter_sys=True)",
            os.path.basename(self.folder.name),
        )
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, out), (0, "Point(x=3) Point(x=3)\nFar('x')\n"), err)

    def test_functions_of_an_interactive_session_need_cloudpickle(self):
        text = """
            import functools, sheaf._calls
            sheaf._calls._cloudpickle = lambda: None
            def double(x):
                return 2 * x
            with sheaf.Executor(nodes=1) as executor:
                print(executor.submit(len, "__main__.py").result())
                executor.submit(functools.partial(double, 1))
        """
        process = self.start(text, "-c", textwrap.dedent(text))
        _, err = process.communicate(timeout=120)
        self.assertIn("cannot be pickled: a part of it is defined in an interactive session. Define functions", err)

    def test_calls_of_an_executor_that_is_not_shut_down(self):
        process = self.start(
            """
            from sheaf import Executor

            def write(name):
                open(name, "w").close()

            if __name__ == "__main__":
                Executor(nodes=1).submit(write, "written")
            """
        )
        _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, err)
        self.assertTrue(os.path.exists(os.path.join(self.folder.name, "written")))
        self.assertEqual(os.listdir(os.path.join(self.folder.name, ".sheaf")), [])

    def test_the_end_of_an_executor_releases_its_nodes_at_once(self):
        before = os.getcwd()
        os.chdir(self.folder.name)
        self.addCleanup(os.chdir, before)
        for opened in Executor(nodes=1), Executor(nodes=1).resources(time="1m"):  # the only executor of its queue
            with opened as executor:
                self.assertEqual(executor.submit(add, 1, 2).result(60), 3)
        deadline = time.monotonic() + 12  # a manager checks every 15 s that its folder exists
        while any(self.folder.name in word for _, words in processes() for word in words):
            self.assertLess(time.monotonic(), deadline, "manager or agent still run")
            time.sleep(0.1)

    def test_an_interrupt_ends_the_tasks(self):
        for use in (
            "with Executor(nodes=1, folder='queue') as executor: executor.submit(wait).result()",
            "with Executor(nodes=1, folder='queue') as executor: executor.submit(wait)",
            "Executor(nodes=1, folder='queue').submit(wait).result()",
        ):
            with self.subTest(use):
                self.interrupt(use)

    def interrupt(self, use):
        mark = os.path.join(self.folder.name, "running")
        shutil.rmtree(os.path.join(self.folder.name, "queue"), ignore_errors=True)
        if os.path.exists(mark):
            os.unlink(mark)
        process = self.start(
            f"""
            import time
            from sheaf import Executor

            def wait():
                open({mark!r}, "w").close()
                time.sleep(300)

            if __name__ == "__main__":
                {use}
            """
        )
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while not os.path.exists(mark) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertTrue(os.path.exists(mark), "the task did not start")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=90)
        self.assertIn("KeyboardInterrupt", err)
        self.assertEqual(list(states(os.path.join(self.folder.name, "queue")).values()), ["failed"])

    def test_only_output_that_was_written_makes_files(self):
        with Executor(folder=os.path.join(self.folder.name, "queue"), nodes=1) as executor:
            printed = executor.submit(print_both)
            printed.result(60)
            quick = [executor.submit(abs, i) for i in range(20)]  # needs no import
            concurrent.futures.wait(quick, 60)
            slow = executor.submit(pause, 1)
            slow.result(60)
        found = {}
        logs = os.path.join(self.folder.name, "queue", "run", "logs")
        for name in [name for name in os.listdir(logs) if not name.startswith(".")]:
            with open(os.path.join(logs, name)) as file:
                found[name] = file.read()
        texts = [text for name, text in sorted(found.items()) if name.startswith(printed.task)]
        self.assertEqual(texts, ["err\n", "out\n"])
        self.assertTrue(any(name.startswith(slow.task) for name in found), "a slow call can be watched")
        # On a busy machine some of the quick calls are slow, too.
        self.assertFalse(all(any(name.startswith(each.task) for name in found) for each in quick))

    def test_a_killed_manager_is_replaced(self):
        with Executor(folder=os.path.join(self.folder.name, "queue"), nodes=1) as executor:
            slow = executor.submit(pause, 3)
            deadline = time.monotonic() + 60
            while not slow.running() and time.monotonic() < deadline:
                time.sleep(0.05)
            with open(os.path.join(self.folder.name, "queue", "manager")) as file:
                os.kill(int(file.read().split()[1]), signal.SIGKILL)
            self.assertEqual(slow.result(90), 3)
            self.assertEqual(executor.submit(add, slow, 1).result(90), 4)

    def test_a_removed_folder_ends_the_calls_with_the_reason(self):
        folder = os.path.join(self.folder.name, "queue")
        executor = Executor(folder=folder, nodes=1)
        self.addCleanup(executor.shutdown)
        slow = executor.submit(pause, 300)
        deadline = time.monotonic() + 60
        while not slow.running() and time.monotonic() < deadline:
            time.sleep(0.05)
        os.rename(folder, folder + ".removed")
        with self.assertRaisesRegex(TaskFailed, "the queue's folder was removed"):
            slow.result(60)

    def test_a_lost_connection_is_an_error_and_ends_the_tasks(self):
        executor = Executor(folder=os.path.join(self.folder.name, "queue"), nodes=1)
        self.addCleanup(executor.shutdown)
        slow = executor.submit(pause, 300)
        deadline = time.monotonic() + 60
        while not slow.running() and time.monotonic() < deadline:
            time.sleep(0.05)
        executor._connection._stream._process.kill()
        with self.assertRaisesRegex(SheafError, "task-stream ended with status -9"):
            slow.result(90)
        while states(os.path.join(self.folder.name, "queue")) != {slow.task: "failed"}:
            self.assertLess(time.monotonic(), deadline + 60, "the task was not cancelled")
            time.sleep(0.1)

    def test_a_call_that_has_ended_is_not_repeated_if_its_agent_is_killed(self):
        folder = os.path.join(self.folder.name, "queue")
        count = os.path.join(self.folder.name, "count")
        with Executor(folder=folder, nodes=1) as executor:
            call = executor.submit(count_and_pause, count, 2)
            deadline = time.monotonic() + 60
            while not os.path.exists(count) and time.monotonic() < deadline:
                time.sleep(0.05)
            agent = next(pid for pid, words in processes() if "io.sheaf.agent.AgentMain" in words and folder + "/run" in words)
            os.kill(agent, signal.SIGSTOP)  # the agent does not detect the end of the call
            try:
                while not any("exits" in files for _, _, files in os.walk(folder)):
                    self.assertLess(time.monotonic(), deadline, "the exit was not recorded")
                    time.sleep(0.05)
            finally:
                os.kill(agent, signal.SIGKILL)
            self.assertEqual(call.result(90), 2)
        with open(count) as file:
            self.assertEqual(file.read(), "1", "it ran once")

    def test_another_version_is_refused(self):
        other = os.path.join(self.folder.name, "other")
        with open(other, "w") as out:
            out.write("#!/bin/sh\necho '{\"sheaf\": \"9.9\", \"protocol\": 9}'\ncat >/dev/null\n")
        os.chmod(other, 0o755)
        with unittest.mock.patch.dict(os.environ, SHEAF=other):
            with self.assertRaisesRegex(SheafError, "Sheaf 9.9 with protocol 9"):
                Executor(folder=os.path.join(self.folder.name, "queue"))

    def test_without_the_command_there_is_one_clear_error(self):
        before = os.environ.get("SHEAF")
        os.environ["SHEAF"] = os.path.join(self.folder.name, "missing")
        try:
            with self.assertRaisesRegex(SheafError, "there is no such program"):
                Executor(folder=os.path.join(self.folder.name, "queue"))
        finally:
            if before is None:
                del os.environ["SHEAF"]
            else:
                os.environ["SHEAF"] = before

    def test_a_cluster_that_cannot_be_reached_is_one_error(self):
        # An empty file, since Slurm's commands wait a minute for a missing one.
        with unittest.mock.patch.dict(os.environ, SLURM_CONF="/dev/null"):
            with self.assertRaisesRegex(SheafError, "cannot reach the batch system") as raised:
                Executor(folder=os.path.join(self.folder.name, "queue"), on="slurm")
        self.assertEqual(raised.exception.status, 4)

    def test_a_bad_option_is_the_commands_own_error(self):
        with self.assertRaisesRegex(SheafError, "glooom") as raised:
            Executor(folder=os.path.join(self.folder.name, "queue"), strategy="glooom")
        self.assertEqual(raised.exception.status, 3)


if __name__ == "__main__":
    unittest.main()
