package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands run behind a prefix such as {@code ssh HOST}. */
class CommandRunnerTest {
    private static final String EVIL = "a b; touch x $(touch y) 'q' \"d\" \\ *";

    @TempDir
    Path folder = Path.of("");

    /** A program that joins its arguments with blanks for a shell, as ssh does. */
    private CommandRunner behind(String... prefix) throws IOException {
        Path ssh = folder.resolve("ssh");
        Files.writeString(
                ssh, "#!/bin/sh\n[ \"$1\" = down ] && exit 255\nshift; cd " + folder + "; exec sh -c \"$*\"\n");
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
        return new CommandRunner(
                null,
                Map.of("PATH", folder + ":/usr/bin:/bin"),
                Map.of("ASKED", "%s"),
                10_000,
                List.of(),
                List.of(prefix));
    }

    private void assertArgumentsUnchanged(CommandRunner runner) throws IOException, InterruptedException {
        assertThat(runner.query("printf", "%s|", EVIL, "", "last").out()).isEqualTo(EVIL + "||last|");
        assertThat(folder.resolve("x")).doesNotExist();
        assertThat(folder.resolve("y")).doesNotExist();
    }

    @Test
    void argumentsFollowAPrefixUnchanged() throws IOException, InterruptedException {
        assertArgumentsUnchanged(behind("env", "A=b c"));
    }

    @Test
    void aRemoteShellGetsOneQuotedCommand() throws IOException, InterruptedException {
        assertArgumentsUnchanged(behind("ssh", "alpha"));
    }

    @Test
    void argumentsAreQuotedForEachFurtherShell() throws IOException, InterruptedException {
        assertArgumentsUnchanged(behind("ssh", "gate", "ssh", "alpha"));
    }

    @Test
    void variablesOfQueriesReachTheOtherMachine() throws IOException, InterruptedException {
        assertThat(behind("ssh", "alpha").query("printenv", "ASKED", "LC_ALL").lines())
                .containsExactly("%s", "C");
    }

    /** Slurm prints the heading for one of several clusters even if headings are off. */
    @Test
    void theHeadingOfAClusterIsLeftOut() throws IOException, InterruptedException {
        assertThat(behind("env", "SLURM_CLUSTERS=c1")
                        .query("printf", "CLUSTER: c1\\n7|a\\nCLUSTER: x\\n")
                        .out())
                .isEqualTo("7|a\nCLUSTER: x\n");
    }

    /** The effect of the command is unknown then, so this is not a refusal. */
    @Test
    void aLostConnectionIsNotARefusal() throws IOException {
        CommandRunner runner = behind("ssh", "down");
        assertThatThrownBy(() -> runner.order(null, "true"))
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining("ssh down");
    }
}
