package io.sheaf.slurm;

import io.sheaf.formats.ShellWords;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.JobFolder;
import io.sheaf.runtime.batch.ManagerJob;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.slurm.whatif.Submissions;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The manager of a run as a Slurm job. The {@code singleton} dependency runs only one job of a name at a time.
 *
 * @param options the options of the run's pilot jobs, whose account the manager job shares
 * @param minutes the time limit of each manager job
 * @param own the id of the job that this process runs in; empty if none
 */
record SlurmManagerJob(
        SlurmCommands slurm, Path run, String id, String partition, List<String> options, long minutes, String own)
        implements ManagerJob {
    private String name() {
        return "sheaf-" + id + ".manager";
    }

    @Override
    public long submit(List<String> command) throws IOException, InterruptedException {
        String script = "#!/bin/bash\n# Manager of a Sheaf run.\nexec " + ShellWords.join(command) + "\n";
        Path file = new JobFolder(run.resolve(SlurmCommands.SYSTEM.name()).resolve("manager")).write(script);
        BatchCommands.Submitted answer;
        try {
            answer = slurm.submit(file, words());
        } catch (UnreachableException e) {
            long found = find();
            if (found == BatchCommands.UNKNOWN) {
                throw e;
            }
            return found;
        }
        if (answer.isRefused()) {
            throw new InputException("Slurm refused the manager job: " + answer.refusal());
        }
        long job = answer.job() == BatchCommands.UNKNOWN ? find() : answer.job();
        if (job == BatchCommands.UNKNOWN) {
            throw new UnreachableException("sbatch printed no job id for the manager job, and there is no such job");
        }
        return job;
    }

    private List<String> words() {
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name=" + name(),
                "--comment=" + name(),
                "--dependency=singleton",
                "--no-requeue",
                "--partition=" + partition,
                "--nodes=1",
                "--ntasks=1",
                "--cpus-per-task=1",
                "--time=" + minutes,
                SlurmScript.output(run.resolve("manager.log")),
                "--open-mode=append"));
        String account = Submissions.value(options, "--account", "-A", "");
        if (!account.isEmpty()) {
            words.add("--account=" + account);
        }
        return words;
    }

    @Override
    public long find() throws IOException, InterruptedException {
        return slurm.printed("squeue", "-h", "--name=" + name(), "-o", "%i")
                .lines()
                .map(String::strip)
                .filter(each -> each.matches("\\d+") && !each.equals(own))
                .mapToLong(Long::parseLong)
                .max()
                .orElse(BatchCommands.UNKNOWN);
    }

    @Override
    public void cancelWaiting() throws IOException, InterruptedException {
        slurm.commands().order(null, "scancel", "--state=PENDING", "--name=" + name());
    }
}
