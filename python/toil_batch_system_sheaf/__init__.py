"""A batch system for Toil 5.9 to 8.0: ``--batchSystem sheaf``.

``python3 -m toil_batch_system_sheaf toil-cwl-runner …`` registers the batch system and then runs the named Toil program. Toil needs
the registration before it reads its options.

Environment variables: TOIL_SHEAF_ARGS has options of ``sheaf submit-task`` for the queue, such as ``--on slurm --partition short``.
TOIL_SHEAF_TIME is the expected run time of a job (default: 10m).
"""

import logging
import math
import os
import queue
import shlex
import shutil
import threading
import time
import uuid

from sheaf._stream import TaskStream
from toil.batchSystems.abstractBatchSystem import BatchJobExitReason, UpdatedBatchJobInfo
from toil.batchSystems.local_support import BatchSystemLocalSupport
from toil.batchSystems.registry import BATCH_SYSTEM_FACTORY_REGISTRY

try:
    from toil.batchSystems.registry import add_batch_system_factory
except ImportError:
    from toil.batchSystems.registry import addBatchSystemFactory as add_batch_system_factory

NAME = "sheaf"
logger = logging.getLogger("toil.batchSystems.sheaf")
_EXIT_STATUS_OF_FAILURE = 1


class SheafBatchSystem(BatchSystemLocalSupport):
    """A batch system whose jobs are tasks of a Sheaf queue. Toil still runs its local jobs on the leader."""

    @classmethod
    def supportsAutoDeployment(cls):
        return False

    @classmethod
    def supportsWorkerCleanup(cls):
        return False

    def __init__(self, config, maxCores, maxMemory, maxDisk):
        super().__init__(config, maxCores, maxMemory, maxDisk)
        self._folder = os.path.abspath(os.path.join(".sheaf", "toil-" + uuid.uuid4().hex[:12]))
        self._lock = threading.Lock()
        self._ids = {}
        self._started = {}
        self._ended = queue.Queue()
        self._error = None
        words = shlex.split(os.environ.get("TOIL_SHEAF_ARGS", ""))
        try:
            self._stream = TaskStream(self._folder, words, self._on_state, self._on_end)
        except BaseException:
            self.shutdownLocal()
            raise

    def issueBatchJob(self, first, second=None, job_environment=None):
        """Submits a job. Toil 5 passes (job description, environment), later versions (command, job description, environment)."""
        if isinstance(first, str):
            command, job = first, second
            local = self.handleLocalJob(command, job)
        else:
            command, job, job_environment = first.command, first, second or job_environment
            local = self.handleLocalJob(job)
        if local is not None:
            return local
        self.check_resource_request(job)
        number = self.getNextJobID()
        task = "toil" + uuid.uuid4().hex[:14]
        with self._lock:
            self._ids[task] = number
        environment = {**self.environment, **(job_environment or {})}
        self._stream.submit(
            {
                "id": task,
                "folder": os.getcwd(),
                "command": ["env", *(f"{name}={value}" for name, value in environment.items()), "/bin/sh", "-c", command],
                "category": job.jobName,
                "cores": max(0.001, math.ceil(float(job.cores) * 1000) / 1000),
                "memory": f"{math.ceil(int(job.memory) / 2**20)}M",
                "time": os.environ.get("TOIL_SHEAF_TIME", "10m"),
            }
        )
        return number

    def killBatchJobs(self, jobIDs):
        self.killLocalJobs(jobIDs)
        with self._lock:
            tasks = [task for task, number in self._ids.items() if number in set(jobIDs)]
            for task in tasks:
                self._started.pop(self._ids.pop(task), None)
        self._stream.cancel(tasks)

    def getIssuedBatchJobIDs(self):
        with self._lock:
            return list(self._ids.values()) + list(self.getIssuedLocalJobIDs())

    def getRunningBatchJobIDs(self):
        now = time.monotonic()
        with self._lock:
            running = {number: now - since for number, since in self._started.items()}
        return {**running, **self.getRunningLocalJobIDs()}

    def getUpdatedBatchJob(self, maxWait):
        local = self.getUpdatedLocalJob(0)
        if local:
            return local
        if self._error is not None:
            raise self._error
        try:
            return self._ended.get(timeout=maxWait)
        except queue.Empty:
            return None

    def shutdown(self):
        with self._lock:
            tasks = list(self._ids)
        self._stream.cancel(tasks)
        self._stream.close(30, end_queue=self._error is None)
        self.shutdownLocal()
        if self._error is None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _on_state(self, task, state, reason):
        with self._lock:
            number = self._ids.get(task)
            if number is None:
                return
            if state == "running":
                self._started[number] = time.monotonic()
                return
            del self._ids[task]
            began = self._started.pop(number, None)
        took = None if began is None else max(0.001, time.monotonic() - began)
        done = state == "success"
        if not done:
            logger.warning("Sheaf: job %s failed: %s", number, reason)
        self._ended.put(
            UpdatedBatchJobInfo(
                jobID=number,
                exitStatus=0 if done else _EXIT_STATUS_OF_FAILURE,
                exitReason=BatchJobExitReason.FINISHED if done else BatchJobExitReason.FAILED,
                wallTime=took,
            )
        )

    def _on_end(self, error):
        self._error = error


def register():
    """Registers ``--batchSystem sheaf`` with Toil, unless it is registered."""
    if NAME not in BATCH_SYSTEM_FACTORY_REGISTRY:
        add_batch_system_factory(NAME, lambda: SheafBatchSystem)


register()
