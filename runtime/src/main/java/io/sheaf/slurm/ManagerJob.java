package io.sheaf.slurm;

import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.BatchControl;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobFolder;
import io.sheaf.runtime.batch.ShellWord;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The process in charge of a run as a job of one core. Each hands over to the next, which waits in the queue for its end: Slurm starts only one
 * job of a name at a time ({@code singleton}).
 *
 * @param options passed on to sbatch
 * @param minutes the time limit of each
 * @param own the number of the job that this process runs in; empty if it runs in none
 */
public record ManagerJob(
        CommandRunner commands, Path run, String id, String partition, List<String> options, long minutes, String own) {
    /** Of the options of a run's pilot jobs, those that are for the job in charge as well: it is paid for by the same account. */
    public static List<String> shared(List<String> options) {
        return options.stream().filter(each -> each.startsWith("--account=")).toList();
    }

    private String name() {
        return "sheaf-" + id + ".manager";
    }

    /** Submits one that runs this command; returns its number. Where the reply is lost it is looked for by its name. */
    public long submit(List<String> command) throws IOException, InterruptedException {
        String script = "#!/bin/bash\n# In charge of a run of Sheaf.\nexec "
                + command.stream().map(ShellWord::quoted).collect(Collectors.joining(" ")) + "\n";
        Path file = new JobFolder(run.resolve(SlurmSite.NAME).resolve("manager")).write(script);
        BatchControl.Submitted answer;
        try {
            answer = SlurmControl.submit(commands, file, words());
        } catch (AwayException e) {
            long found = find();
            if (found == BatchControl.UNKNOWN) {
                throw e;
            }
            return found;
        }
        if (answer.isRefused()) {
            throw new InputException("the manager's job was refused: " + answer.refusal());
        }
        long job = answer.job() == BatchControl.UNKNOWN ? find() : answer.job();
        if (job == BatchControl.UNKNOWN) {
            throw new AwayException("sbatch printed no number for the manager's job, and there is none");
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
                OutputFile.option(run.resolve("manager.log")),
                "--open-mode=append"));
        words.addAll(options);
        return words;
    }

    /** One that waits or runs, and is not this process; unknown if there is none. */
    public long find() throws IOException, InterruptedException {
        CommandRunner.Answer answer = commands.ask("squeue", "-h", "--name=" + name(), "-o", "%i");
        if (!answer.isGood()) {
            throw new AwayException("squeue: " + answer.why());
        }
        return answer.lines().stream()
                .map(String::strip)
                .filter(each -> each.matches("\\d+") && !each.equals(own))
                .mapToLong(Long::parseLong)
                .max()
                .orElse(BatchControl.UNKNOWN);
    }

    /** Cancels those that wait for their turn. */
    public void cancelWaiting() throws IOException, InterruptedException {
        commands.order(null, "scancel", "--state=PENDING", "--name=" + name());
    }
}
