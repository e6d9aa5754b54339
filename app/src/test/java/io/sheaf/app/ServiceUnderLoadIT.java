package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.app.service.Roster;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a service that is killed repeatedly while many clients submit, and one that runs thousands of workflows. */
class ServiceUnderLoadIT {
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    @TempDir
    Path folder = Path.of("");

    private final List<Process> started = new ArrayList<>();
    /** What clients received: ids of accepted workflows, names of refused and of unanswered ones. */
    private final ConcurrentLinkedQueue<String> accepted = new ConcurrentLinkedQueue<>();

    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Set<String> unanswered = ConcurrentHashMap.newKeySet();

    @AfterEach
    void endStartedProcesses() {
        started.forEach(Process::destroyForcibly);
    }

    private Process serve(RealRun run, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("serve", "--state", "run", "--nodes", "2", "--plain"));
        words.addAll(List.of(options));
        Process process = run.sheaf(words.toArray(String[]::new));
        started.add(process);
        return process;
    }

    @Test
    @Timeout(300)
    void acceptedWorkflowsRunOnceDespiteTwoKills() throws Exception {
        assertAcceptedWorkflowsRunOnce(6, 5, 2);
    }

    @Test
    @Tag("slow")
    @Timeout(1800)
    void acceptedWorkflowsRunOnceUnderLoadDespiteTenKills() throws Exception {
        assertAcceptedWorkflowsRunOnce(20, 25, 10);
    }

    private void assertAcceptedWorkflowsRunOnce(int clients, int each, int kills) throws Exception {
        RealRun run = new RealRun(folder);
        int port = freePort();
        Process service = serve(run, "--port", String.valueOf(port));
        Path token = folder.resolve("run/dashboard-token");
        Await.until("the token exists", () -> Files.exists(token));
        List<Thread> all = new ArrayList<>();
        for (int c = 0; c < clients; c++) {
            Thread client =
                    new Thread(new Client(c, each, port, Files.readString(token).strip()));
            client.start();
            all.add(client);
        }
        int sum = clients * each;
        for (int kill = 1; kill <= kills; kill++) {
            int share = sum * kill / (kills + 1);
            Await.until(() -> answered() + " answers of " + share, () -> answered() >= share);
            service.destroyForcibly().waitFor();
            service = serve(run, "--port", String.valueOf(port));
        }
        for (Thread client : all) {
            client.join();
        }
        assertThat(run.await(run.sheaf("serve", "drain", "--state", "run"))).isZero();
        assertThat(service.waitFor(600, TimeUnit.SECONDS)).as(run.errorOutput()).isTrue();
        assertThat(service.exitValue()).as(run.errorOutput()).isZero();
        System.out.println(accepted.size() + " accepted, " + refused.size() + " refused, " + unanswered.size()
                + " without an answer");
        assertEachWorkflowRanOnce(run, sum);
    }

    private int answered() {
        return accepted.size() + refused.size() + unanswered.size();
    }

    private void assertEachWorkflowRanOnce(RealRun run, int sum) throws IOException {
        assertThat(answered()).isEqualTo(sum);
        RecordedRun recorded = RecordedRun.open(folder.resolve("run"));
        List<Roster.RosterEntry> entries = Roster.of(recorded).entries();
        List<String> ids = entries.stream().map(Roster.RosterEntry::id).toList();
        assertThat(ids).doesNotHaveDuplicates().containsAll(accepted);
        assertThat(entries).extracting(Roster.RosterEntry::state).containsOnly("done");
        List<String> names =
                ids.stream().map(id -> id.substring(0, id.lastIndexOf('-'))).toList();
        assertThat(names).as("each workflow is listed once").doesNotHaveDuplicates();
        Set<String> remaining = new HashSet<>(names);
        accepted.forEach(id -> remaining.remove(id.substring(0, id.lastIndexOf('-'))));
        assertThat(unanswered).as("workflows without an answer").containsAll(remaining);
        assertThat(remaining).as("refused workflows are not listed").noneMatch(refused::contains);
        List<Integer> committed = new ArrayList<>();
        for (AttemptResult result : run.results(AttemptOutcome.SUCCEEDED)) {
            committed.add(result.message().attempt().task());
        }
        assertThat(committed).doesNotHaveDuplicates().hasSize(entries.size());
        assertThat(new HashSet<>(run.lines("ledger"))).as("tasks that ran").isEqualTo(new HashSet<>(names));
        assertThat(run.processes()).as("processes left").isEmpty();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Submits workflows one after the other; every fifth is invalid. */
    private final class Client implements Runnable {
        private final int number;
        private final int count;
        private final URI address;
        private final String token;
        private final HttpClient http = HttpClient.newHttpClient();

        Client(int number, int count, int port, String token) {
            this.number = number;
            this.count = count;
            this.token = token;
            address = URI.create("http://127.0.0.1:" + port + "/api/workflows?owner=u" + number + "&folder=" + folder);
        }

        @Override
        public void run() {
            for (int i = 0; i < count; i++) {
                String name = "c" + number + "_" + i;
                String run = i % 5 == 4 ? "rum" : "run";
                String text = "name: " + name + "\ntasks: {t: {" + run + ": 'echo " + name + " >> ledger'}}\n";
                try {
                    while (!isAnswered(name, text)) {
                        Thread.sleep(200);
                    }
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        private boolean isAnswered(String name, String text) throws InterruptedException {
            try {
                HttpResponse<String> reply = http.send(
                        HttpRequest.newBuilder(address)
                                .timeout(Duration.ofSeconds(60))
                                .header("Authorization", "Bearer " + token)
                                .POST(HttpRequest.BodyPublishers.ofString(text))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                Matcher id = ID.matcher(reply.body());
                if (reply.statusCode() == 202 && id.find()) {
                    accepted.add(id.group(1));
                } else if (reply.statusCode() == 429 || reply.statusCode() == 503) {
                    return false;
                } else {
                    refused.add(name);
                }
                return true;
            } catch (ConnectException e) {
                // The service does not run: nothing was submitted.
                return false;
            } catch (IOException e) {
                unanswered.add(name);
                return true;
            }
        }
    }

    /**
     * Memory, open files and journal do not grow with thousands of workflows, as in a month of a busy group, because
     * ended workflows are archived.
     */
    @Test
    @Tag("slow")
    @Timeout(1800)
    void aLongRunningServiceHasBoundedMemoryAndFiles() throws Exception {
        RealRun run = new RealRun(folder);
        Process service = serve(run, "--volume", "100", "--policy", "fifo");
        Await.until("the service runs", () -> run.errorOutput().contains("http://127.0.0.1:"));
        List<long[]> figures = new ArrayList<>();
        int waves = 6;
        int workflows = Integer.getInteger("sheaf.longlife", 400);
        for (int wave = 1; wave <= waves; wave++) {
            wave(wave, workflows);
            int expected = wave * workflows;
            Await.until(
                    () -> run.lines("ledger").size() + " of " + expected,
                    () -> run.lines("ledger").size() >= expected);
            figures.add(new long[] {
                liveBytes(service.pid()),
                openFiles(service.pid()),
                size("run/journal"),
                size("run/cluster"),
                size("run")
            });
            System.out.printf(
                    "%d workflows: %.1f MB live, %d open files, journal %d kB, cluster %d kB, folder %d kB%n",
                    expected,
                    figures.get(wave - 1)[0] / 1e6,
                    figures.get(wave - 1)[1],
                    figures.get(wave - 1)[2] >> 10,
                    figures.get(wave - 1)[3] >> 10,
                    figures.get(wave - 1)[4] >> 10);
        }
        assertThat(run.await(run.sheaf("serve", "drain", "--state", "run"))).isZero();
        assertThat(service.waitFor(300, TimeUnit.SECONDS)).as(run.errorOutput()).isTrue();
        long[] early = figures.get(1);
        long[] late = figures.get(waves - 1);
        assertThat(late[0]).as("live bytes").isLessThan(early[0] + early[0] / 2);
        assertThat(late[1]).as("open files").isLessThan(early[1] + 20);
        assertThat(late[2]).as("bytes of the journal").isLessThan(3 * Collections.max(List.of(early[2], 100_000L)));
        assertThat(late[3])
                .as("bytes of the cluster's log")
                .isLessThan(3 * Collections.max(List.of(early[3], 100_000L)));
    }

    private void wave(int wave, int workflows) throws IOException, InterruptedException {
        // Over HTTP: a process for each submission would take longer than its task. The inbox has a limit.
        Path files = Files.createDirectories(folder.resolve("wave-" + wave));
        String token = Files.readString(folder.resolve("run/dashboard-token")).strip();
        Matcher port = Pattern.compile("http://127\\.0\\.0\\.1:([0-9]+)/").matcher(new RealRun(folder).errorOutput());
        assertThat(port.find()).isTrue();
        HttpClient http = HttpClient.newHttpClient();
        for (int i = 0; i < workflows; i++) {
            String text = "name: w\ntasks: {t: {run: 'echo done >> ../ledger'}}\n";
            int status;
            do {
                status = http.send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1)
                                                + "/api/workflows?owner=ann&folder=" + files))
                                        .timeout(Duration.ofSeconds(60))
                                        .header("Authorization", "Bearer " + token)
                                        .POST(HttpRequest.BodyPublishers.ofString(text))
                                        .build(),
                                HttpResponse.BodyHandlers.discarding())
                        .statusCode();
                Thread.sleep(status == 202 ? 0 : 100);
            } while (status == 429 || status == 400);
            assertThat(status).isEqualTo(202);
        }
    }

    /** The bytes of live objects on the heap. */
    private long liveBytes(long pid) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Finished histogram =
                Finished.run(folder, Map.of(), 120, List.of(jcmd, String.valueOf(pid), "GC.class_histogram"));
        Matcher total = Pattern.compile("(?m)^Total +[0-9]+ +([0-9]+)").matcher(histogram.out());
        assertThat(total.find()).as(histogram.out() + histogram.err()).isTrue();
        return Long.parseLong(total.group(1));
    }

    private static long openFiles(long pid) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.count();
        }
    }

    private long size(String place) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(place))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
