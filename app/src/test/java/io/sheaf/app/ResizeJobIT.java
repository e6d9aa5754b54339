package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.OwnCommand;
import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the replacement of queued jobs by smaller ones on a real, busy Slurm.
 *
 * <p>A service waits for nodes for a sweep and a small workflow. When the sweep is cancelled, a job of one node
 * replaces the queued job of all nodes.
 */
@Tag("slow")
class ResizeJobIT {
    private static final int TIMEOUT_TENTHS = 900;
    private static final int NODES = 4;

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(NODES));

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();
    private final List<Process> started = new ArrayList<>();

    /** Occupies all nodes with a job that requests twenty minutes. */
    @BeforeEach
    void occupyAllNodes() throws IOException, InterruptedException {
        environment.putAll(System.getenv());
        environment.putAll(SLURM.get().environment());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("SHEAF_SITE_CONFIG", "nowhere");
        environment.put(
                "PATH",
                Files.createDirectories(folder.resolve("bin")) + ":"
                        + SLURM.get().path());
        SLURM.get()
                .query("sbatch", "-N", "" + NODES, "-t", "20", "-J", "other", "-o", "/dev/null", "--wrap", "sleep 999");
        await(
                "all nodes are allocated",
                () -> !SLURM.get().query("squeue", "-h", "-t", "R").isEmpty());
    }

    @AfterEach
    void endStartedProcesses() throws InterruptedException {
        started.forEach(Process::destroyForcibly);
        SLURM.get().run("scancel", "--user=root");
        await("the queue is empty", () -> SLURM.get().query("squeue", "-h").isEmpty());
    }

    @Test
    void aQueuedJobIsReplacedByOneOfFewerNodes() throws Exception {
        Process service = serveAndCancelTheSweep();
        await("a job of one node replaces it", () -> queuedNodes().equals(List.of("1")));
        String narrow = SLURM.get().query("squeue", "-h", "-t", "PD", "-o", "%j");
        SLURM.get().run("scancel", "-n", "other");
        drain(service);
        assertThat(begun()).containsExactly("small 1");
        // The job of one node is requested for this, or was queued before as a hedge.
        assertThat(sheaf("explain", "run", "--no-json").out())
                .contains("1 node instead of 4 in the queue")
                .containsPattern("request 1 node instead of 4|a short job starts first if nodes become free early");
        assertThat(SLURM.get().query("scontrol", "show", "job", "-o"))
                .containsPattern("JobName=" + narrow + " .*JobState=COMPLETED .*NumNodes=1 ")
                .containsPattern("JobName=sheaf-.*JobState=CANCELLED .*NumNodes=4");
    }

    /** The site refuses small jobs: the wide job keeps its place in the queue and runs the remaining task. */
    @Test
    void theWideJobStaysIfTheNarrowerIsRefused() throws Exception {
        replaceSbatchForOneNode(
                "echo 'sbatch: error: Batch job submission failed: Invalid qos specification' >&2; exit 1");
        Process service = serveAndCancelTheSweep();
        await("the job of one node is refused", () -> Files.exists(folder.resolve("calls")));
        Thread.sleep(5_000);
        assertThat(queuedNodes()).containsExactly("" + NODES);
        SLURM.get().run("scancel", "-n", "other");
        drain(service);
        assertThat(begun()).containsExactly("small 1");
        assertThat(Files.readAllLines(folder.resolve("calls"))).hasSize(1);
    }

    /**
     * The reply to the submission of the job of one node is lost. Until the job is found in the queue, the wide job
     * stays and the submission is not repeated.
     */
    @Test
    void theWideJobIsCancelledWhenALostSubmissionIsFound() throws Exception {
        replaceSbatchForOneNode(
                "$REAL \"$@\" > reply",
                "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2; exit 1");
        Process service = serveAndCancelTheSweep();
        await("a job of one node replaces it", () -> queuedNodes().equals(List.of("1")));
        SLURM.get().run("scancel", "-n", "other");
        drain(service);
        assertThat(begun()).containsExactly("small 1");
        assertThat(Files.readAllLines(folder.resolve("calls"))).hasSize(1);
    }

    /** Makes {@code sbatch} execute these shell commands for a job of one node. */
    private void replaceSbatchForOneNode(String... lines) throws IOException {
        Path sbatch = folder.resolve("bin/sbatch");
        Files.writeString(sbatch, """
                #!/bin/sh
                REAL=%s
                cd %s
                case " $* " in
                *--nodes=1\\ *) echo x >> calls; %s;;
                esac
                exec $REAL "$@"
                """.formatted(
                        SLURM.get().query("sh", "-c", "command -v sbatch"), folder, String.join("; ", lines)));
        Files.setPosixFilePermissions(sbatch, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Starts a service, submits a sweep of eleven tasks and a workflow of one task, and cancels the sweep. */
    private Process serveAndCancelTheSweep() throws Exception {
        Process service = serve();
        await("the service runs", () -> output().contains("dashboard"));
        String sweep = submit("sweep", 11);
        submit("small", 1);
        await("a job of all nodes is queued", () -> queuedNodes().equals(List.of("" + NODES)));
        assertThat(sheaf("serve", "cancel", sweep, "--state", at("run")).status())
                .isZero();
        return service;
    }

    private void drain(Process service) throws InterruptedException {
        assertThat(sheaf("serve", "drain", "--state", at("run")).status()).isZero();
        assertThat(service.waitFor(TIMEOUT_TENTHS / 10, TimeUnit.SECONDS))
                .as(output())
                .isTrue();
        assertThat(service.exitValue()).as(output()).isZero();
        await("the queue is empty", () -> SLURM.get().query("squeue", "-h").isEmpty());
    }

    private Process serve() throws IOException {
        List<String> line = OwnCommand.words("serve", "--on", "slurm", "--state", at("run"), "--queue-interval", "2s");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(folder.resolve("output.txt").toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    /** Submits tasks that have an estimated run time of one hour and end at once. */
    private String submit(String name, int tasks) throws IOException {
        Path in = Files.createDirectories(folder.resolve(name));
        Files.writeString(in.resolve("workflow.yaml"), """
                name: %s
                tasks:
                  t: {foreach: {i: 1..%d}, time: 1h, run: 'echo %s $SHEAF_ATTEMPT >> ../begun'}
                """.formatted(name, tasks, name));
        Run run = sheaf("submit", in.resolve("workflow.yaml").toString(), "--to", at("run"));
        assertThat(run.status()).as(run.err()).isZero();
        return run.out().strip();
    }

    /** The number of nodes of each queued job. */
    private static List<String> queuedNodes() {
        return SLURM.get()
                .query("squeue", "-h", "-t", "PD", "-o", "%D")
                .lines()
                .map(String::strip)
                .toList();
    }

    private List<String> begun() throws IOException {
        return Files.readAllLines(folder.resolve("begun"));
    }

    private Run sheaf(String... words) {
        return Run.in(folder, environment, words);
    }

    private void await(String description, BooleanSupplier condition) throws InterruptedException {
        Await.until(() -> description + "; " + output() + SLURM.get().query("squeue"), condition::getAsBoolean);
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output.txt"));
        } catch (IOException e) {
            return "";
        }
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }
}
