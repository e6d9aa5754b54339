package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests runs on a real Slurm whose nodes have an empty folder in place of the manager's files. */
@Tag("slow")
class StagedSiteIT {
    @TempDir
    Path folder = Path.of("");

    private Path home = Path.of("");
    private Path scratch = Path.of("");

    private RealSlurm slurm() throws IOException {
        home = Files.createDirectory(folder.resolve("home"));
        scratch = Files.createDirectory(folder.resolve("scratch"));
        return RealSlurm.hiding(home, RealSlurm.SlurmShape.of(2), "alpha");
    }

    /** Parts that read a file and use a program, and a task that joins their outputs, of which one is a folder. */
    private RealRun run(RealSlurm slurm, int parts, int seconds, String copy, String fetch) throws IOException {
        Files.createDirectories(home.resolve("data"));
        Files.writeString(home.resolve("data/in.txt"), "x");
        Files.writeString(home.resolve("tool.sh"), "test ! -e %s/workflow.yaml && cat data/in.txt\n".formatted(home));
        Files.writeString(home.resolve("workflow.yaml"), """
                name: staged
                tasks:
                  part:
                    foreach: {i: 1..%d}
                    in: [data/in.txt, tool.sh]
                    out: ["parts/{i}.txt"]
                    time: 20s
                    run: 'echo {i} >> begun; sleep %d; (sh tool.sh; echo {i}) > parts/{i}.txt'
                  total:
                    in: {from: part}
                    out: [total.txt, {dir: logs}]
                    time: 20s
                    run: 'cat parts/*.txt | sort > total.txt; cp total.txt logs/copy'
                """.formatted(parts, seconds));
        Files.writeString(home.resolve("sheaf.conf.yaml"), """
                sites:
                  alpha: {on: slurm, prefix: "env SLURM_CONF=%s", folder: %s, copy: "%s", fetch: "%s"}
                """.formatted(
                        slurm.environment().get("SLURM_CONF"), scratch, copy, fetch));
        return new RealRun(home, home.resolve("cache"), Map.of("SLURM_CONF", "/nonexistent", "PATH", slurm.path()));
    }

    private void assertDone(int parts) throws IOException {
        List<String> lines = Files.readAllLines(home.resolve("total.txt"));
        assertThat(lines).hasSize(parts).allMatch(line -> line.startsWith("x"));
        assertThat(home.resolve("logs/copy")).hasSameTextualContentAs(home.resolve("total.txt"));
        assertThat(home.resolve("begun")).doesNotExist();
        try (Stream<Path> all = Files.list(home)) {
            assertThat(all.map(Path::getFileName).map(Path::toString)).noneMatch(name -> name.startsWith(".sheaf-"));
        }
    }

    private Path remote(String file) {
        return Path.of(scratch.toString() + home.resolve(file));
    }

    @Test
    void filesAreCopiedAndFetchedAlsoAfterAResume() throws IOException, InterruptedException {
        try (RealSlurm slurm = slurm()) {
            RealRun run = run(slurm, 8, 3, "rsync -a {from} {to}", "rsync -a {from} {to}");
            Process process = run.start("--on", "alpha", "--queue-interval", "2s");
            Await.until(
                    run::errorOutput,
                    () -> Files.exists(remote("begun"))
                            && Files.readAllLines(remote("begun")).size() >= 3);
            process.destroyForcibly().waitFor();
            assertThat(run.await(run.resume())).as(run.errorOutput()).isZero();
            assertDone(8);
            assertThat(Files.readAllLines(remote("begun")))
                    .as(run.errorOutput())
                    .hasSize(8);
            assertThat(run.results(AttemptOutcome.FAILED)).isEmpty();
            Await.until(
                    run::errorOutput,
                    () -> run.processes().isEmpty()
                            && slurm.query("squeue", "-h").isEmpty());
            // Fetched files count as unchanged.
            assertThat(run.await(run.sheaf("run", "workflow.yaml", "--on", "alpha")))
                    .as(run.errorOutput())
                    .isZero();
            assertThat(Files.readAllLines(remote("begun")))
                    .as(run.errorOutput())
                    .hasSize(8);
        }
    }

    /** All tries of a fetch fail for one attempt, so the attempt fails; the next one succeeds. */
    @Test
    void aFailedTransferFailsTheAttempt() throws IOException, InterruptedException {
        try (RealSlurm slurm = slurm()) {
            Path flaky = Files.writeString(folder.resolve("flaky"), """
                    case "$*" in *parts/1.txt*)
                      if [ "$(cat %1$s/tries 2>/dev/null | wc -l)" -lt 3 ]; then echo try >> %1$s/tries; echo "no route" >&2; exit 1; fi ;;
                    esac
                    exec cp -a "$@"
                    """.formatted(folder));
            RealRun run = run(slurm, 2, 0, "cp -a {from} {to}", "sh " + flaky + " {from} {to}");
            assertThat(run.await(run.start("--on", "alpha", "--queue-interval", "2s")))
                    .as(run.errorOutput())
                    .isZero();
            assertDone(2);
            assertThat(run.errorOutput()).contains("MB copied to the site at");
            assertThat(run.results(AttemptOutcome.OUTPUT_ABSENT))
                    .singleElement()
                    .extracting(AttemptResult::message)
                    .extracting(ended -> ended.reason())
                    .asString()
                    .contains("its outputs could not be fetched: sh for site alpha: no route");
        }
    }
}
