"""Tests of the executor plug-in for Snakemake 8, with the real command (SHEAF names it) and stubs of Snakemake's modules.

Debian has no Snakemake 8; SnakemakePluginIT uses the real one if it can be installed. The stubs have the parts of
snakemake-interface-executor-plugins that the plug-in uses: ``RemoteExecutor`` with its thread that checks active jobs.
"""

import asyncio
import os
import signal
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock
from dataclasses import dataclass
from typing import Any, Optional


class WorkflowError(Exception):
    pass


@dataclass
class SubmittedJobInfo:
    job: Any
    external_jobid: Optional[str] = None
    aux: Optional[dict] = None


class RemoteExecutor:
    def __init__(self, workflow):
        self.workflow = workflow
        self.active_jobs = []
        self.ended = {}
        self.lock = threading.Lock()
        self.wait = True
        self.next_seconds_between_status_checks = 10
        self.__post_init__()
        self.thread = threading.Thread(target=self._wait_thread, daemon=True)
        self.thread.start()

    def _wait_thread(self):
        try:
            asyncio.run(self._check())
        except Exception as e:
            self.workflow.scheduler.executor_error_callback(e)

    async def _check(self):
        while self.wait:
            with self.lock:
                jobs, self.active_jobs = self.active_jobs, []
            left = [info async for info in self.check_active_jobs(jobs)]
            with self.lock:
                self.active_jobs += left
            await asyncio.sleep(self.next_seconds_between_status_checks)

    def get_jobscript(self, job):
        return os.path.abspath(job.name + ".sh")

    def write_jobscript(self, job, script):
        with open(script, "w") as file:
            file.write(job.command + "\n")

    def report_job_submission(self, info):
        with self.lock:
            self.active_jobs.append(info)

    def report_job_success(self, info):
        self.ended[info.job.name] = "success"

    def report_job_error(self, info, msg=None, aux_logs=()):
        self.ended[info.job.name] = msg
        self.logs = aux_logs

    def shutdown(self):
        self.wait = False
        self.thread.join()

    def cancel(self):
        with self.lock:
            jobs = list(self.active_jobs)
        self.cancel_jobs(jobs)
        self.shutdown()


def stub(name, **content):
    module = types.ModuleType(name)
    module.__dict__.update(content)
    sys.modules[name] = module


stub("snakemake_interface_common")
stub("snakemake_interface_common.exceptions", WorkflowError=WorkflowError)
stub("snakemake_interface_executor_plugins")
stub("snakemake_interface_executor_plugins.executors")
stub("snakemake_interface_executor_plugins.executors.base", SubmittedJobInfo=SubmittedJobInfo)
stub("snakemake_interface_executor_plugins.executors.remote", RemoteExecutor=RemoteExecutor)
stub("snakemake_interface_executor_plugins.jobs", JobExecutorInterface=object)
stub(
    "snakemake_interface_executor_plugins.settings", CommonSettings=types.SimpleNamespace, ExecutorSettingsBase=object
)

import snakemake_executor_plugin_sheaf as plugin  # noqa: E402  (after the stubs)


def job(name, command, **resources):
    return types.SimpleNamespace(name=name, command=command, threads=1, resources=resources)


class PluginTest(unittest.TestCase):
    def setUp(self):
        self.before = os.getcwd()
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)

    def tearDown(self):
        os.chdir(self.before)
        self.folder.cleanup()

    def executor(self, **settings):
        settings = plugin.ExecutorSettings(**settings)
        self.errors = []
        scheduler = types.SimpleNamespace(executor_error_callback=self.errors.append)
        return plugin.Executor(types.SimpleNamespace(executor_settings=settings, scheduler=scheduler))

    def await_(self, condition):
        deadline = time.monotonic() + 90
        while not condition() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertTrue(condition())

    def until(self, executor, count):
        deadline = time.monotonic() + 90
        while len(executor.ended) < count and time.monotonic() < deadline:
            time.sleep(0.05)

    def test_jobs_succeed_and_are_cancelled(self):
        executor = self.executor(args="--nodes 1 --cores-per-node 2")
        executor.run_job(job("good", "echo 42 > good.txt", mem_mb=100, runtime=2))
        executor.run_job(job("long", "sleep 300"))
        self.until(executor, 1)
        self.assertEqual(executor.ended, {"good": "success"})
        with open("good.txt") as file:
            self.assertEqual(file.read(), "42\n")
        executor.cancel()
        self.assertEqual(os.listdir(".sheaf"), [])

    def test_the_log_of_a_failed_job_stays(self):
        executor = self.executor(args="--nodes 1")
        executor.run_job(job("bad", "echo oh >&2; exit 3"))
        self.until(executor, 1)
        executor.cancel()
        self.assertIn("failed: exit status 3", executor.ended["bad"])
        (log,) = executor.logs
        with open(log) as file:
            self.assertEqual(file.read(), "oh\n")

    def test_a_job_that_never_fits_fails_with_the_reason(self):
        executor = self.executor(args="--nodes 1")
        executor.run_job(job("wide", "true", nodes=3))
        self.until(executor, 1)
        self.assertIn("3 nodes", executor.ended["wide"])
        executor.cancel()

    def test_a_bad_option_is_an_error_of_the_workflow(self):
        with self.assertRaisesRegex(WorkflowError, "glooom"):
            self.executor(args="--strategy glooom")

    def test_without_sheaf_and_with_another_version(self):
        with unittest.mock.patch.dict(os.environ, SHEAF="/nowhere/sheaf"):
            with self.assertRaisesRegex(WorkflowError, "^SHEAF=/nowhere/sheaf: there is no such program$"):
                self.executor()
        other = os.path.join(self.folder.name, "other")
        with open(other, "w") as out:
            out.write("#!/bin/sh\necho '{\"sheaf\": \"9.9\", \"protocol\": 9}'\ncat >/dev/null\n")
        os.chmod(other, 0o755)
        with unittest.mock.patch.dict(os.environ, SHEAF=other):
            with self.assertRaisesRegex(WorkflowError, "Sheaf 9.9 with protocol 9, .* install both from the same release"):
                self.executor()

    def test_a_cluster_that_cannot_be_reached(self):
        with unittest.mock.patch.dict(os.environ, SLURM_CONF="/dev/null"):
            with self.assertRaises(WorkflowError) as raised:
                self.executor(args="--on slurm")
        self.assertEqual(len(str(raised.exception).splitlines()), 1)
        self.assertIn(raised.exception.__cause__.status, (3, 4))

    def test_a_killed_manager_is_replaced(self):
        executor = self.executor(args="--nodes 1", queue="queue")
        executor.run_job(job("slow", "touch started; sleep 3; touch ended"))
        self.await_(lambda: os.path.exists("started"))
        with open("queue/manager") as file:
            os.kill(int(file.read().split()[1]), signal.SIGKILL)
        self.await_(lambda: executor.ended)
        self.assertEqual((executor.ended, self.errors), ({"slow": "success"}, []))
        executor.cancel()

    def test_a_lost_connection_is_one_error_and_leaves_nothing_running(self):
        executor = self.executor(args="--nodes 1 --cores-per-node 2", queue="queue")
        for name in "first", "second":
            executor.run_job(job(name, f"touch {name}; sleep 300"))
        self.await_(lambda: os.path.exists("first") and os.path.exists("second"))
        executor._stream._process.kill()
        self.await_(lambda: self.errors)
        self.assertIsInstance(self.errors[0], WorkflowError)
        self.assertRegex(str(self.errors[0]), "The connection to Sheaf is lost: .* status -9. Unfinished jobs were cancelled.")
        self.assertEqual((len(self.errors), executor.ended), (1, {}))
        executor.cancel()
        self.await_(lambda: self.states() == ["failed", "failed"])

    def states(self):
        with open("queue/states") as file:
            return list(dict(line.split(" ")[:2] for line in file).values())


if __name__ == "__main__":
    unittest.main()
