package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs with container engines and conda, which are replaced by scripts that record their arguments. */
class EnvironmentsIT {
    @TempDir
    Path folder = Path.of("");

    private Path programs = Path.of("");

    @BeforeEach
    void createProgramFolder() throws IOException {
        programs = Files.createDirectories(folder.resolve("programs"));
    }

    private void writeProgram(String name, String script) throws IOException {
        Path file = programs.resolve(name);
        // Calls run side by side, so each waits for the lock to write its line.
        String notes = "#!/bin/bash\n{ flock 9; printf '%1$s'; printf ' <%%s>' \"$@\"; echo; } 9>> '%2$s' >> '%2$s'\n"
                .formatted(name, folder.resolve("calls"));
        Files.writeString(file, notes + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private RealRun run(String workflow, Map<String, String> more) throws IOException {
        Files.writeString(folder.resolve("workflow.yaml"), workflow);
        Map<String, String> environment =
                new HashMap<>(Map.of("PATH", programs + ":" + System.getenv("PATH"), "GREETING", "two words"));
        environment.putAll(more);
        return new RealRun(folder, environment);
    }

    private List<String> callsThatStartWith(String beginning) throws IOException {
        return Files.readAllLines(folder.resolve("calls")).stream()
                .filter(line -> line.startsWith(beginning))
                .toList();
    }

    private static final String BOXED = """
            name: boxed
            categories: {box: {container: "docker://python:3.12"}}
            tasks:
              t: {foreach: {i: 1..3}, category: box, time: 1s, out: "o{i}", run: "echo {i} $GREETING > {out}"}
            """;

    /** A run of three tasks on two nodes pulls the image once and runs the commands in the folder. */
    @Test
    void apptainerPullsOncePerRun() throws IOException, InterruptedException {
        writeProgram("apptainer", """
                case $1 in
                pull) sleep 1; touch "$2" ;;
                exec) while [ "${1%.sif}" = "$1" ]; do shift; done; shift; exec "$@" ;;
                esac
                """);
        RealRun run = run(BOXED, Map.of("SHEAF_CONTAINER_ENGINE", "apptainer"));
        assertThat(run.await(run.start("--nodes", "2"))).as(run.errorOutput()).isZero();
        assertThat(run.lines("o3")).containsExactly("3 two words");
        String images = folder.resolve("run/logs/images/docker___python_3.12").toString();
        assertThat(callsThatStartWith("apptainer <pull>"))
                .containsExactly("apptainer <pull> <" + images + ".part> <docker://python:3.12>");
        assertThat(callsThatStartWith("apptainer <exec>")).hasSize(3).allSatisfy(call -> assertThat(call)
                .startsWith("apptainer <exec> <--pwd> <" + folder + ">")
                .contains("<--bind> <" + folder + ">")
                .contains("<" + images + ".sif> <bash> <-euo> <pipefail>"));
    }

    @Test
    void dockerPullsOncePerNodeAndRunsAsTheUser() throws IOException, InterruptedException {
        writeProgram("docker", """
                case $1 in
                image) [ -e "${0%/*}/pulled" ] ;;
                pull) touch "${0%/*}/pulled" ;;
                run) while [ "$1" != python:3.12 ]; do shift; done; shift; exec "$@" ;;
                esac
                """);
        RealRun run = run(BOXED, Map.of("SHEAF_CONTAINER_ENGINE", "docker"));
        assertThat(run.await(run.start("--nodes", "2"))).as(run.errorOutput()).isZero();
        assertThat(callsThatStartWith("docker <pull>")).containsExactly("docker <pull> <python:3.12>");
        assertThat(callsThatStartWith("docker <run>")).hasSize(3).allSatisfy(call -> assertThat(call)
                .startsWith("docker <run> <--rm> <--network> <host> <--workdir> <" + folder
                        + "> <--entrypoint> <> <--user>")
                .contains("<--volume> <" + folder + ":" + folder + ">")
                .contains("<--env> <GREETING>")
                .contains("<--env> <SHEAF_TASK>")
                .doesNotContain("<--env> <PATH>")
                .contains("<python:3.12> <bash> <-euo> <pipefail>"));
    }

    private static final String CONDA = """
            name: conda
            tasks:
              named: {conda: tools, time: 1s, out: named.txt, run: "echo $CONDA_PREFIX > {out}"}
              made: {foreach: {i: 1..2}, conda: env.yaml, time: 1s, out: "made{i}.txt", run: "echo $CONDA_PREFIX > {out}"}
            """;

    private void assertActivated(RealRun run, String create) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("env.yaml"), "dependencies: [samtools]\n");
        assertThat(run.await(run.start("--nodes", "2"))).as(run.errorOutput()).isZero();
        assertThat(run.lines("named.txt")).containsExactly("tools");
        assertThat(run.lines("made1.txt")).isEqualTo(run.lines("made2.txt"));
        String prefix = run.lines("made1.txt").get(0);
        assertThat(prefix).startsWith(folder.resolve(".sheaf/conda").toString());
        assertThat(callsThatStartWith(create))
                .containsExactly(create + " <--prefix> <" + prefix + "> <--file> <env.yaml>");
    }

    /** An environment from a file is created once and activated in every task. */
    @Test
    void micromambaActivatesEnvironments() throws IOException, InterruptedException {
        writeProgram("micromamba", """
                case $1 in
                shell) echo 'micromamba() { [ "$1" = activate ] && export CONDA_PREFIX=$2; }' ;;
                create) sleep 1; mkdir -p "$4" ;;
                esac
                """);
        assertActivated(run(CONDA, Map.of()), "micromamba <create> <--yes>");
    }

    @Test
    void condaActivatesEnvironments() throws IOException, InterruptedException {
        writeProgram("conda", """
                case $1 in
                shell.bash) echo 'conda() { [ "$1" = activate ] && export CONDA_PREFIX=$2; }' ;;
                env) mkdir -p "$4" ;;
                esac
                """);
        assertActivated(run(CONDA, Map.of()), "conda <env> <create>");
    }

    @Test
    void missingCondaIsReported() throws IOException, InterruptedException {
        RealRun run = run("tasks: {a: {conda: tools, time: 1s, run: 'true'}}\n", Map.of());
        assertThat(run.await(run.start("--nodes", "1"))).isEqualTo(1);
        assertThat(run.errorOutput()).contains("neither micromamba nor conda is on the PATH");
    }
}
