package io.sheaf.slurm;

import io.sheaf.driver.BatchControl;
import io.sheaf.driver.Commands;
import io.sheaf.driver.Marks;
import io.sheaf.driver.ShellWord;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The process in charge of a run as a job of one core. Each hands over to the next, which waits in the queue for its end: Slurm starts only one
 * job of a name at a time ({@code singleton}).
 *
 * @param minutes the time limit of each
 */
public record ManagerJob(Commands commands, Path run, String id, String partition, long minutes) {
    private String name() {
        return "sheaf-" + id + ".manager";
    }

    /** Submits one that runs this command; returns its number. */
    public long submit(List<String> command) throws IOException, InterruptedException {
        String script = "#!/bin/bash\n# In charge of a run of Sheaf.\nexec "
                + command.stream().map(ShellWord::quoted).collect(Collectors.joining(" ")) + "\n";
        List<String> words = List.of(
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
                "--open-mode=append");
        Path file = new Marks(run.resolve(SlurmSite.NAME).resolve("manager")).write(script);
        BatchControl.Submitted answer = SlurmControl.submit(commands, file, words);
        if (answer.isRefused()) {
            throw new InputException("the manager's job was refused: " + answer.refusal());
        }
        return answer.job();
    }

    /** Cancels those that wait for their turn. */
    public void cancelWaiting() throws IOException, InterruptedException {
        commands.order(null, "scancel", "--state=PENDING", "--name=" + name());
    }
}
