package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Shared;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the replay command on a log of ten lines whose schedule was computed by hand.
 *
 * <p>Jobs of {@code quirks.swf} that are replayed, on 4 nodes: 1 (submitted 100, 2 nodes, 100 s of 200 requested), 2
 * (110, 4 nodes, 50 s), 3 (120, 2 nodes, 60 s), 4 (130, 1 node, 10 s, its request of 5 s raised), 7 (160, 1 node, 30 s,
 * no request).
 *
 * <p>EASY: 1 starts at 100. 2 is blocked and has a reservation at 300. 3 ends before that and starts at 120. At 180 it
 * ends, 4 and 7 start. At 200 job 1 ends early, at 210 job 7, and 2 starts. Waits 0, 100, 0, 50, 20: mean 34, median
 * 20, 95 % 100. Slowdowns 1, 150/50, 1, 60/10, 50/30: mean 2.533. Work 200 + 200 + 120 + 10 + 30 = 560 of 4 × (260 −
 * 100) = 640: 87.5 %.
 */
class ReplayCommandTest {
    private static final String QUIRKS = resource("quirks.swf");
    private static final String ACCOUNTING = resource("accounting.txt");

    @TempDir
    Path folder = Path.of("");

    private static String resource(String name) {
        return Path.of(URI.create(Objects.requireNonNull(ReplayCommandTest.class.getResource(name))
                        .toString()))
                .toString();
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    /** The JSON output without the wall time, which differs from run to run. */
    private static String json(Run run) {
        assertThat(run.status()).as(run.err()).isZero();
        return run.out().replaceAll("\"wallSeconds\" : \\d+\\.\\d{3}\n", "\"wallSeconds\" : T\n");
    }

    private String csv(String... options) throws IOException {
        String[] args = new String[options.length + 3];
        args[0] = "replay";
        System.arraycopy(options, 0, args, 1, options.length);
        args[args.length - 2] = "--jobs-csv";
        args[args.length - 1] = path("jobs.csv");
        Run run = Run.of(args);
        assertThat(run.status()).as(run.err()).isZero();
        return Files.readString(folder.resolve("jobs.csv"));
    }

    @Test
    void metricsMatchTheHandComputedSchedule() {
        Run run = Run.of("replay", QUIRKS, "--json");
        assertThat(json(run)).isEqualTo("""
                {
                  "jobs" : 5,
                  "skipped" : {
                    "malformed" : 1,
                    "outsidePeriod" : 0,
                    "noProcessors" : 1,
                    "tooLarge" : 1,
                    "neverRan" : 1,
                    "noTimes" : 0,
                    "runInFull" : 0,
                    "cancelled" : 0,
                    "requestMissing" : 1,
                    "requestRaised" : 1,
                    "reordered" : 1,
                    "warmup" : 0,
                    "notStarted" : 0
                  },
                  "meanWaitSeconds" : 34.000,
                  "medianWaitSeconds" : 20.000,
                  "p95WaitSeconds" : 100.000,
                  "meanBoundedSlowdown" : 2.533,
                  "utilization" : 0.875000,
                  "makespanSeconds" : 160.000,
                  "events" : 15,
                  "wallSeconds" : T
                }
                """);
        assertThat(run.err()).isEqualTo("sheaf: skipped: " + QUIRKS + ":11:1: job number 'this' is not a number\n");
    }

    @Test
    void jobsMatchTheHandComputedSchedule() throws IOException {
        String easy = """
                job,submit,start,end,nodes,requested,run,outcome
                1,100,100,200,2,200,100,completed
                2,110,210,260,4,50,50,completed
                3,120,120,180,2,60,60,completed
                4,130,180,190,1,10,10,completed
                7,160,180,210,1,30,30,completed
                """;
        assertThat(csv(QUIRKS)).isEqualTo(easy);
        assertThat(csv(QUIRKS, "--policy", "conservative"))
                .as("conservative backfilling compresses to the same schedule")
                .isEqualTo(easy);
        assertThat(csv(QUIRKS, "--policy", "depth:1")).isEqualTo(easy);
        // Job 2 waits for job 1, all other jobs for job 2.
        assertThat(csv(QUIRKS, "--policy", "fcfs")).isEqualTo("""
                job,submit,start,end,nodes,requested,run,outcome
                1,100,100,200,2,200,100,completed
                2,110,200,250,4,50,50,completed
                3,120,250,310,2,60,60,completed
                4,130,250,260,1,10,10,completed
                7,160,250,280,1,30,30,completed
                """);
    }

    @Test
    void optionsChangeTheJobsOfALog() throws IOException {
        // 5 was cancelled after 30 s of waiting, before a node was free.
        assertThat(csv(QUIRKS, "--cancelled", "withdraw").lines()).contains("5,140,,,1,20,,cancelled");
        assertThat(csv(QUIRKS, "--cancelled", "cancel")).isEqualTo(csv(QUIRKS, "--cancelled", "withdraw"));
        // 5 runs its whole request of 20 s beside 4, and 7 starts when 4 ends.
        assertThat(csv(QUIRKS, "--cancelled", "full").lines())
                .contains("5,140,180,200,1,20,20,completed", "7,160,190,220,1,30,30,completed");
        // With a request of 100 instead of 200 the reservation of 2 is at 200, still after the end of 3.
        assertThat(csv(QUIRKS, "--estimates", "accurate").lines())
                .contains("1,100,100,200,2,100,100,completed", "3,120,120,180,2,60,60,completed");
        // Submitted at 100, 105, 110, 115 and 130: 3 ends at 170, then 4 and 7 run, and 1 and 7 end at 200.
        assertThat(csv(QUIRKS, "--scale-load", "2").lines())
                .contains("2,105,200,250,4,50,50,completed", "7,130,170,200,1,30,30,completed");
        assertThat(csv(QUIRKS, "--from", "20s", "--for", "15s")).isEqualTo("""
                job,submit,start,end,nodes,requested,run,outcome
                3,120,120,180,2,60,60,completed
                4,130,130,140,1,10,10,completed
                """);
        // Two processors make a node: 1, 2, 1, 1 and 1 nodes of 2, so that 7 waits for 4 and 2 for 7.
        assertThat(csv(QUIRKS, "--procs-per-node", "2").lines())
                .contains("2,110,220,270,2,50,50,completed", "3,120,120,180,1,60,60,completed");
    }

    /** Job 2 needs all four nodes. */
    @Test
    void jobsAboveTheNodeLimitAreExcluded() {
        String out = json(Run.of("replay", QUIRKS, "--json", "--max-nodes", "2"));
        assertThat(number(out, "tooLarge")).isEqualTo(2);
        assertThat(number(out, "jobs")).isEqualTo(4);
    }

    /**
     * Job 1 requests 200 s. Without it, job 2 starts at once and has all nodes from 110 to 160, and the other jobs
     * follow. With 30 s, jobs 2 and 3 are excluded as well; job 7 needs exactly 30 s. Job 4 requests 5 s and runs for
     * 10 s.
     */
    @Test
    void jobsAboveTheWalltimeLimitAreExcluded() throws IOException {
        String head = "job,submit,start,end,nodes,requested,run,outcome\n";
        assertThat(csv(QUIRKS, "--max-time", "199s")).isEqualTo(head + """
                2,110,110,160,4,50,50,completed
                3,120,160,220,2,60,60,completed
                4,130,160,170,1,10,10,completed
                7,160,160,190,1,30,30,completed
                """);
        assertThat(csv(QUIRKS, "--max-time", "30s")).isEqualTo(head + """
                4,130,130,140,1,10,10,completed
                7,160,160,190,1,30,30,completed
                """);
        String out = json(Run.of("replay", QUIRKS, "--json", "--max-time", "30s"));
        assertThat(number(out, "tooLarge"))
                .as("1, 2, 3 and the one above the cluster")
                .isEqualTo(4);
        assertThat(csv(QUIRKS, "--max-time", "200s")).isEqualTo(csv(QUIRKS));
        assertThat(Run.of("replay", QUIRKS, "--max-time", "30s").out()).startsWith(QUIRKS + ", easy, at most 30s, ");
        assertThat(Run.of("replay", QUIRKS, "--max-time", "5s").err()).contains(QUIRKS + ": no jobs to replay;");
    }

    /**
     * Jobs 1, 3 and 7 belong to one user. One at a time: job 1 ends at 200, then job 2 has all four nodes until 250,
     * job 3 runs until 310 and job 7 follows. Two nodes: job 2 is excluded, job 3 has both nodes of the user from 200
     * to 260, and job 7 follows.
     */
    @Test
    void jobsBeyondAUserLimitWait() throws IOException {
        assertThat(csv(QUIRKS, "--max-user-jobs", "1").lines())
                .contains(
                        "2,110,200,250,4,50,50,completed",
                        "3,120,250,310,2,60,60,completed",
                        "4,130,130,140,1,10,10,completed",
                        "7,160,310,340,1,30,30,completed");
        assertThat(csv(QUIRKS, "--max-user-nodes", "2").lines())
                .contains("3,120,200,260,2,60,60,completed", "7,160,260,290,1,30,30,completed")
                .noneMatch(line -> line.startsWith("2,"));
        assertThat(Run.of("replay", QUIRKS, "--max-user-jobs", "0").err())
                .contains("--max-user-jobs: must be at least 1, is 0");
        assertThat(Run.of("replay", QUIRKS, "--max-user-nodes", "2").out()).contains("at most 2 nodes per user");
    }

    /**
     * Of the same user, job 1 requests 2 × 200 s, job 3 2 × 60 s and job 7 30 s. 432 node-seconds suffice for jobs 1
     * and 7, and job 3 waits until job 1 has ended and job 2 has had all nodes. 180 suffice for jobs 3 and 7 at once;
     * jobs 1 and 2 exceed that alone and are excluded.
     */
    @Test
    void jobsBeyondTheNodeHoursOfAUserWait() throws IOException {
        assertThat(csv(QUIRKS, "--max-user-node-hours", "0.12").lines())
                .contains(
                        "2,110,200,250,4,50,50,completed",
                        "3,120,250,310,2,60,60,completed",
                        "7,160,160,190,1,30,30,completed");
        assertThat(csv(QUIRKS, "--max-user-node-hours", "0.05").lines())
                .contains("3,120,120,180,2,60,60,completed", "7,160,160,190,1,30,30,completed")
                .noneMatch(line -> line.startsWith("1,") || line.startsWith("2,"));
        assertThat(Run.of("replay", QUIRKS, "--max-user-node-hours", "0.05").out())
                .contains("at most 0.05 node-hours per user");
    }

    @Test
    void everyLineOfTheLogIsCounted() {
        for (String cancelled : new String[] {"drop", "full", "withdraw"}) {
            Run run = Run.of("replay", QUIRKS, "--json", "--cancelled", cancelled, "--warmup", "15s", "--from", "5s");
            String out = json(run);
            long sum = number(out, "jobs");
            for (String rule : new String[] {
                "malformed", "outsidePeriod", "noProcessors", "tooLarge", "neverRan", "noTimes", "warmup", "notStarted"
            }) {
                sum += number(out, rule);
            }
            assertThat(sum).as(out).isEqualTo(9);
            assertThat(number(out, "outsidePeriod")).isEqualTo(1);
            assertThat(number(out, "warmup")).as("2 and 3").isEqualTo(2);
        }
    }

    private static long number(String json, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\" : (\\d+)").matcher(json);
        assertThat(matcher.find()).as(name).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void textOutputIsASummary() {
        Run run = Run.of("replay", QUIRKS, "--policy", "easy");
        assertThat(run.out().replaceAll("in \\d+\\.\\d\\d s", "in T s")).isEqualTo(QUIRKS + """
                , easy, 4 nodes

                jobs              5
                mean wait         34.0 s
                median wait       20.0 s
                p95 wait          1.7 min
                bounded slowdown  2.5
                utilization       87.5 %
                makespan          2.7 min
                simulated events  15 in T s

                jobs excluded or changed
                  1 lines cannot be parsed
                  1 without a recorded number of processors: excluded
                  1 larger than the cluster or its limits: excluded
                  1 never ran: excluded
                  1 without a requested walltime: the run time is used
                  1 ran longer than requested: walltime raised to the run time
                  1 out of order: sorted by submission time

                nodes  jobs  share of work  mean wait  median wait  p95 wait  maximum wait
                1         2          7.1 %     35.0 s       20.0 s    50.0 s        50.0 s
                2-4       3         92.9 %     33.3 s          0 s   1.7 min       1.7 min
                """);
    }

    @Test
    void slurmAccountingIsRecognised() throws IOException {
        // 12 needs all 16 CPUs (or both nodes) and waits until 11 ends at 100.
        String expected = """
                job,submit,start,end,nodes,requested,run,outcome
                11,0,0,100,%s,300,100,completed
                12,10,100,130,%s,60,30,completed
                """;
        assertThat(csv(ACCOUNTING, "--nodes", "16")).isEqualTo(expected.formatted("8", "16"));
        assertThat(csv(ACCOUNTING, "--nodes", "2", "--sacct-unit", "nodes", "--sacct-zone", "Europe/Stockholm"))
                .isEqualTo(expected.formatted("1", "2"));
        Run run = Run.of("replay", ACCOUNTING, "--nodes", "16", "--json");
        assertThat(run.out())
                .contains("\"malformed\" : 1", "\"steps\" : 1", "\"unfinished\" : 1", "\"neverRan\" : 1")
                .contains("\"repeated\" : 0", "\"requeued\" : 0", "\"renumbered\" : 0", "\"meanWaitSeconds\" : 45.000");
    }

    @Test
    void aModelNeedsNoFileAndIsRepeatable() throws IOException {
        String[] options = {"replay", "--model", "kth-like", "--jobs", "300", "--policy", "conservative", "--json"};
        String once = json(Run.of(options));
        assertThat(number(once, "jobs")).isEqualTo(300);
        assertThat(json(Run.of(options))).isEqualTo(once);
        String[] seeded = {"--model", "kth-like", "--days", "5", "--order", "small", "--seed", "7"};
        String jobs = csv(seeded);
        assertThat(csv(seeded)).isEqualTo(jobs);
        seeded[seeded.length - 1] = "8";
        assertThat(csv(seeded)).isNotEqualTo(jobs);
        assertThat(csv("--model", "sdsc-like", "--jobs", "50", "--placement", "contiguous")
                        .lines())
                .hasSize(51);
    }

    @Test
    void theModelsAreListed() {
        assertThat(Run.of("replay", "--list").out())
                .startsWith("model")
                .contains(
                        "kth-like         100               1            70         7.7          2.5 h       57.5 %     87.7 %\n");
        assertThat(Run.of("replay", "--list", "--json").out().replaceAll("\\s+", ""))
                .startsWith("{\"models\":[{\"name\":\"kth-like\",\"nodes\":100,\"coresPerNode\":1,\"jobsPerDay\":70.12,"
                        + "\"meanNodes\":7.66,\"meanRunHours\":2.465,\"load\":0.575,\"requestedLoad\":0.877},");
    }

    @Test
    void badOptionsGiveOneLineAndStatus3() throws IOException {
        assertRefused(
                "--policy: unknown value 'esay'. Did you mean 'easy'? Possible values: fcfs, easy, conservative, depth:K.",
                QUIRKS,
                "--policy",
                "esay");
        assertRefused(
                "--policy: 'many' is not a number of reservations; use e.g. depth:8, or conservative for all",
                QUIRKS,
                "--policy",
                "depth:many");
        assertRefused(
                "--order: unknown value 'big'. Possible values: fcfs, large, small (each with :known=no or without), multifactor[:age=W,fairshare=W,…].",
                QUIRKS,
                "--order",
                "big");
        assertRefused(
                "--cancelled: unknown value 'dorp'. Did you mean 'drop'? Possible values: drop, full, withdraw.",
                QUIRKS,
                "--cancelled",
                "dorp");
        assertRefused(
                "--model: unknown value 'kht-like'. Did you mean 'kth-like'? Possible values: kth-like, sdsc-like, lonestar-like, ada-like, lemieux-like, rtc-like, star-like, hpc2n-like, uppmax-like.",
                "--model",
                "kht-like");
        assertRefused("--scale-load: must be greater than 0, e.g. 1.2", QUIRKS, "--scale-load", "0");
        assertRefused("--nodes: must be at least 1, is 0", QUIRKS, "--nodes", "0");
    }

    @Test
    void badLogsGiveOneLineAndStatus3() throws IOException {
        assertRefused(path("none.swf") + ": there is no such file", path("none.swf"));
        Files.writeString(folder.resolve("plain.swf"), "1 0 0 5 1 -1 -1 1 5 -1 1 1 1 -1 1 -1 -1 -1\n");
        assertRefused(path("plain.swf") + ": the number of nodes is not in the log; add --nodes N", path("plain.swf"));
        assertRefused(
                path("plain.swf") + ": no jobs to replay; 'sheaf replay --help' describes which jobs are excluded",
                path("plain.swf"),
                "--nodes",
                "4",
                "--from",
                "1d");
        assertRefused(QUIRKS + ":11:1: job number 'this' is not a number", QUIRKS, "--strict");
        Files.writeString(folder.resolve("jobs.txt"), "JobID|User|State\n1|ann|COMPLETED\n");
        assertRefused(
                path("jobs.txt") + ":1: no column Submit; add it to sacct's --format",
                path("jobs.txt"),
                "--nodes",
                "4");
        assertRefused(
                "--sacct-zone: 'Nowhere/Land' is not a time zone; use e.g. Europe/Stockholm, UTC or +01:00",
                ACCOUNTING,
                "--sacct-zone",
                "Nowhere/Land");
        assertRefused(
                path("no/where.csv") + ": cannot be written: no such folder",
                "--model",
                "kth-like",
                "--jobs",
                "5",
                "--jobs-csv",
                path("no/where.csv"));
    }

    private static void assertRefused(String message, String... options) {
        String[] args = new String[options.length + 1];
        args[0] = "replay";
        System.arraycopy(options, 0, args, 1, options.length);
        assertThat(Run.of(args)).isEqualTo(new Run(3, "", "sheaf: " + message + "\n"));
    }

    @Test
    void usageErrorsGiveStatus2() {
        assertThat(Run.of("replay").err())
                .isEqualTo(
                        "sheaf replay: give either a log or --model; 'sheaf replay --list' lists the models (see 'sheaf replay --help' for usage)\n");
        assertThat(Run.of("replay", QUIRKS, "--model", "kth-like").status()).isEqualTo(2);
        assertThat(Run.of("replay", QUIRKS, "--days", "3").status()).isEqualTo(2);
        assertThat(Run.of("replay", QUIRKS, "--nodes", "few").status()).isEqualTo(2);
    }

    /** Nine of 28,476 jobs never ran. The work is the same under each policy, and the utilization nearly so. */
    @Test
    void aRealLogGivesPlausibleMetrics() {
        String log = Shared.path("data/workloads/KTH-SP2-1996-2.1-cln.swf.gz").toString();
        String out = json(Run.of("replay", log, "--policy", "conservative", "--json"));
        assertThat(number(out, "jobs")).isEqualTo(28_467);
        assertThat(number(out, "neverRan") + number(out, "noProcessors")).isEqualTo(9);
        assertThat(number(out, "events")).isEqualTo(3 * 28_467);
        assertThat(number(out, "meanWaitSeconds")).isBetween(6_000L, 9_000L);
        assertThat(out).contains("\"utilization\" : 0.70");
    }
}
