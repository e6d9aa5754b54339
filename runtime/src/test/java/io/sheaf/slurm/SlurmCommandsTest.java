package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.UnreachableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmCommandsTest {
    @TempDir
    Path folder = Path.of("");

    private void command(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private CommandRunner commands(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("PATH", folder + ":" + System.getenv("PATH"));
        return SlurmCommands.runner(null, Reach.here(environment), 1_000);
    }

    @Test
    void outputAndExitStatusAreReturned() throws Exception {
        command("squeue", "echo one; echo two; echo oh >&2; exit 3");
        CommandRunner.Answer answer = commands(Map.of()).query("squeue");
        assertThat(answer.status()).isEqualTo(3);
        assertThat(answer.lines()).isEqualTo(List.of("one", "two"));
        assertThat(answer.why()).isEqualTo("oh");
    }

    @Test
    void largeOutputIsReadCompletely() throws Exception {
        command("squeue", "yes 0123456789 | head -n 200000; yes x | head -n 100000 >&2");
        CommandRunner.Answer answer = commands(Map.of()).query("squeue");
        assertThat(answer.out()).hasSize(2_200_000);
        assertThat(answer.err()).hasSize(200_000);
    }

    @Test
    void aHangingCommandIsKilledWithItsChildren() throws Exception {
        command("sbatch", "sleep 987 & echo $! > " + folder + "/child; wait");
        assertThatThrownBy(() -> commands(Map.of()).order(null, "sbatch"))
                .isInstanceOf(UnreachableException.class)
                .hasMessage("sbatch has not answered within 1 s");
        long child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
        ProcessHandle.of(child)
                .ifPresent(process -> assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(10)));
    }

    @Test
    void queriesAreRetriedAndOrdersAreNot() throws Exception {
        for (String name : List.of("squeue", "sbatch")) {
            command(
                    name,
                    "echo x >> " + folder + "/" + name + ".count",
                    "[ $(wc -l < " + folder + "/" + name + ".count) -ge 2 ] && { echo there; exit; }",
                    "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; exit 1");
        }
        assertThat(commands(Map.of()).query("squeue").out()).isEqualTo("there\n");
        assertThatThrownBy(() -> commands(Map.of()).order(null, "sbatch")).isInstanceOf(UnreachableException.class);
        assertThat(Files.readAllLines(folder.resolve("sbatch.count"))).hasSize(1);
    }

    @Test
    void variablesOfTheEnclosingJobAreNotInherited() throws Exception {
        command("sbatch", "env");
        List<String> variables = commands(Map.of(
                        "SLURM_JOB_ID", "7", "SLURM_NTASKS", "9", "SLURM_CONF", "here", "SBATCH_ACCOUNT", "physics"))
                .order(null, "sbatch")
                .lines();
        assertThat(variables).contains("SLURM_CONF=here", "SBATCH_ACCOUNT=physics", "SLURM_TIME_FORMAT=%s", "LC_ALL=C");
        assertThat(variables).noneMatch(line -> line.startsWith("SLURM_JOB_ID") || line.startsWith("SLURM_NTASKS"));
    }

    /**
     * With another locale than the user's, agents do not find folders with accents in their names, and tasks sort
     * differently.
     */
    @Test
    void aJobHasTheLocaleOfItsUser() throws Exception {
        command("sbatch", "env");
        Path script = Files.writeString(folder.resolve("script"), "#!/bin/sh\n");
        assertThat(commands(Map.of("LANG", "de_DE.UTF-8", "LC_NUMERIC", "C"))
                        .order(script, "sbatch")
                        .lines())
                .contains("LANG=de_DE.UTF-8", "LC_NUMERIC=C", "LC_MESSAGES=C")
                .noneMatch(line -> line.startsWith("LC_ALL=") || line.startsWith("SLURM_"));
        assertThat(commands(Map.of("LANG", "C", "LC_ALL", "fr_FR.UTF-8", "LC_NUMERIC", "C"))
                        .order(script, "sbatch")
                        .lines())
                .contains("LANG=fr_FR.UTF-8", "LC_MESSAGES=C")
                .noneMatch(line -> line.startsWith("LC_ALL=") || line.startsWith("LC_NUMERIC="));
    }

    @Test
    void aMissingCommandIsNamed() {
        CommandRunner nowhere = SlurmCommands.runner(null, Reach.here(Map.of("PATH", folder.toString())), 1_000);
        assertThatThrownBy(() -> nowhere.order(null, "sbatch")).hasMessage("there is no sbatch in PATH");
    }

    /** Options that are invalid for all jobs are refused before the run begins; a limit may be temporary. */
    @Test
    void optionsThatAreInvalidForAllJobsAreRefused() throws Exception {
        command(
                "sbatch",
                "echo 'allocation failure: Invalid account or account/partition combination specified' >&2",
                "exit 1");
        CommandRunner.Answer account = commands(Map.of()).query("sbatch");
        assertThatThrownBy(() -> SlurmAnswers.expectValid(account))
                .hasMessage("Slurm refuses these options: Invalid account or account/partition combination specified;"
                        + " correct the option for sbatch");
        for (String text : List.of(
                "unrecognized option '--foo'",
                "invalid option -- 'Z'",
                "option '--hold' doesn't allow an argument",
                "error: Invalid --mail-type specification",
                "error: unrecognized --hint argument \"foo\", see --hint=help",
                "error: Invalid numeric value \"x\" for --switches.",
                "error: Invalid generic resource (gres) specification")) {
            CommandRunner.Answer answer = new CommandRunner.Answer(255, "", "sbatch: " + text + "\nTry --help\n");
            assertThatThrownBy(() -> SlurmAnswers.expectValid(answer))
                    .hasMessage("Slurm refuses these options: " + text.replaceFirst("^error: ", "")
                            + "; correct the option for sbatch");
        }
        command("sbatch", "echo 'allocation failure: Job violates accounting/QOS policy' >&2", "exit 1");
        SlurmAnswers.expectValid(commands(Map.of()).query("sbatch"));
        command("sbatch", "echo 'sbatch: Job 7 to start at 2026-01-01T00:00:00' >&2");
        SlurmAnswers.expectValid(commands(Map.of()).query("sbatch"));
    }
}
