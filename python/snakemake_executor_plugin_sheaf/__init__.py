"""An executor plug-in for Snakemake 8 and later: ``snakemake --executor sheaf --jobs 100``.

Each job is a task of one Sheaf queue; the rule's name is its category. The task requests the rule's ``threads`` and its resources
``mem_mb``, ``runtime`` (minutes), ``gpu`` and ``nodes``.
"""

import glob
import os
import shlex
import shutil
import uuid
from dataclasses import dataclass, field
from typing import AsyncGenerator, List, Optional

from sheaf import SheafError
from sheaf._stream import TaskStream
from snakemake_interface_common.exceptions import WorkflowError
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor
from snakemake_interface_executor_plugins.jobs import JobExecutorInterface
from snakemake_interface_executor_plugins.settings import CommonSettings, ExecutorSettingsBase


@dataclass
class ExecutorSettings(ExecutorSettingsBase):
    args: Optional[str] = field(
        default=None,
        metadata={
            "help": "Options of 'sheaf submit-task' for the queue, e.g. '--on slurm --partition short'.",
            "env_var": False,
            "required": False,
        },
    )
    queue: Optional[str] = field(
        default=None,
        metadata={
            "help": "Folder of the queue on a shared file system (default: a new one in .sheaf, removed unless a job fails).",
            "env_var": False,
            "required": False,
        },
    )


common_settings = CommonSettings(
    non_local_exec=True,
    implies_no_shared_fs=False,
    job_deploy_sources=False,
    pass_default_storage_provider_args=True,
    pass_default_resources_args=True,
    pass_envvar_declarations_to_cmd=True,
    auto_deploy_default_storage_provider=False,
    init_seconds_before_status_checks=1,
)


class Executor(RemoteExecutor):
    """An executor that submits jobs through one ``sheaf task-stream`` process, which also reports their states."""

    #: A short interval: a check sends no query, since the stream reports changes of states.
    SECONDS_BETWEEN_CHECKS = 0.5

    def __post_init__(self):
        settings = self.workflow.executor_settings
        named = settings.queue if settings else None
        self._queue = os.path.abspath(named or os.path.join(".sheaf", "snakemake-" + uuid.uuid4().hex[:12]))
        self._keep = named is not None
        self._states = {}
        self._error = None
        self.next_seconds_between_status_checks = self.SECONDS_BETWEEN_CHECKS
        try:
            words = shlex.split((settings.args if settings else None) or "")
            self._stream = TaskStream(self._queue, words, self._on_state, self._on_end)
        except SheafError as e:
            raise WorkflowError(str(e)) from e

    def _on_state(self, task, state, reason):
        self._states[task] = (state, reason)

    def _on_end(self, error):
        self._error = error

    def run_job(self, job: JobExecutorInterface):
        script = self.get_jobscript(job)
        self.write_jobscript(job, script)
        resources = job.resources
        task = {
            "id": "smk" + uuid.uuid4().hex[:14],
            "folder": os.getcwd(),
            "command": ["/bin/sh", script],
            "category": job.name,
            "cores": max(1, job.threads),
            "time": f"{resources.get('runtime') or 10}m",
            "gpus": int(resources.get("gpu") or 0),
            "nodes": int(resources.get("nodes") or 1),
        }
        if resources.get("mem_mb"):
            task["memory"] = f"{resources.get('mem_mb')}M"
        try:
            self._stream.submit(task)
        except SheafError as e:
            raise WorkflowError(str(e)) from e
        self.report_job_submission(SubmittedJobInfo(job, external_jobid=task["id"]))

    async def check_active_jobs(self, active_jobs: List[SubmittedJobInfo]) -> AsyncGenerator[SubmittedJobInfo, None]:
        lost = self._error  # read before the states, to report the jobs that ended before the error
        for info in active_jobs:
            state, reason = self._states.get(info.external_jobid, ("waiting", ""))
            if state == "success":
                self.report_job_success(info)
            elif state == "failed":
                self._keep = True  # the queue's folder has the job's logs
                logs = glob.glob(os.path.join(glob.escape(self._queue), "run", "logs", info.external_jobid + ".*.err"))
                self.report_job_error(info, msg=f"Sheaf task {info.external_jobid} failed: {reason}. ", aux_logs=sorted(logs))
            elif lost is None:
                yield info
        if lost is not None:
            # One error for all jobs, with which Snakemake ends the workflow. The stream has cancelled the unfinished jobs.
            raise WorkflowError(f"The connection to Sheaf is lost: {lost}. Unfinished jobs were cancelled.")

    def cancel_jobs(self, active_jobs: List[SubmittedJobInfo]):
        # All jobs: active_jobs lacks those whose state Snakemake is checking.
        self._stream.cancel_all()

    def shutdown(self):
        super().shutdown()
        remove = not self._keep and self._error is None
        self._stream.close(30, end_queue=remove)
        if remove:
            shutil.rmtree(self._queue, ignore_errors=True)
