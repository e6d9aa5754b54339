package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavingsCommandTest {
    private static final String HEAD =
            "JobID|JobIDRaw|User|JobName|Partition|Submit|Eligible|Start|End|Elapsed|Timelimit|ReqCPUS|AllocCPUS|State\n";
    private static final LocalDateTime BEGIN = LocalDateTime.parse("2024-03-04T00:00:00");

    @TempDir
    Path folder = Path.of("");

    private final StringBuilder text = new StringBuilder(HEAD);
    private int number = 1000;

    private Run sheaf(String... args) {
        return Run.in(folder, Map.of(), args);
    }

    /** Adds a record with times in minutes since the start of the log. */
    private void job(
            String id, String user, String name, double submit, double start, double end, int cpus, String state) {
        LocalDateTime from = at(start);
        Duration ran = Duration.between(from, at(end));
        text.append(String.join(
                        "|",
                        id,
                        Integer.toString(++number),
                        user,
                        name,
                        "batch",
                        at(submit).toString(),
                        at(submit).toString(),
                        from.toString(),
                        at(end).toString(),
                        String.format(
                                Locale.ROOT, "%02d:%02d:%02d", ran.toHours(), ran.toMinutesPart(), ran.toSecondsPart()),
                        "04:00:00",
                        Integer.toString(cpus),
                        Integer.toString(cpus),
                        state))
                .append('\n');
    }

    private static LocalDateTime at(double minutes) {
        return BEGIN.plusSeconds(Math.round(60 * minutes));
    }

    /**
     * 35 days with a job on all eight processors every six hours, and each week an array of six jobs queued behind one
     * of them.
     */
    private String accounting() {
        for (int i = 0; i < 140; i++) {
            double submit = 360 * i;
            job(Integer.toString(number + 1), "bob", "big" + i, submit, submit, submit + 120, 8, "COMPLETED");
            if (i % 28 == 20) {
                String array = Integer.toString(number + 1);
                for (int task = 0; task < 6; task++) {
                    job(array + "_" + task, "alice", "sweep", submit + 1, submit + 120, submit + 150, 1, "COMPLETED");
                    text.append(number + ".batch|" + number + ".batch||batch||||||||1|1|COMPLETED\n");
                }
            }
        }
        return text.toString();
    }

    @Test
    void campaignsOfAllWeeksAreFoundAndReplayed() throws IOException {
        Files.writeString(folder.resolve("a.txt"), accounting());
        Run run = sheaf("savings", "a.txt", "--strategies", "auto,onejob", "--html", "page.html");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("170 jobs in 34.8 days")
                .contains("8 nodes (maximum in use)")
                .contains("5 found, 5 of them can be replayed, 5 replayed")
                .contains("12.4 h in total from first submission to last end (recorded 12.4 h)")
                .contains("job array")
                .doesNotContain("not enough data for intervals");
        String page = Files.readString(folder.resolve("page.html"));
        assertThat(page).contains("What Sheaf would have saved", "alice", "<svg", "</html>");
        Run json = sheaf("savings", "a.txt", "--strategies", "auto", "--json");
        assertThat(json.out()).contains("\"campaignsFound\" : 5", "\"strategy\" : \"auto\"", "\"low\" :");
    }

    @Test
    void anonymisedOutputHasNoNames() throws IOException {
        Files.writeString(folder.resolve("secret-site.txt"), accounting());
        Run run = sheaf(
                "savings", "secret-site.txt", "--anonymise", "--strategies", "onejob", "--html", "page.html", "--json");
        assertThat(run.status()).as(run.err()).isZero();
        String page = Files.readString(folder.resolve("page.html"));
        assertThat(run.out() + page)
                .contains("user 1")
                .doesNotContain("alice")
                .doesNotContain("bob")
                .doesNotContain("sweep")
                .doesNotContain("secret")
                .doesNotContain("2024");
    }

    @Test
    void overlappingFilesAreOneLogAndRequeuesCountOnce() throws IOException {
        String all = accounting();
        Files.writeString(folder.resolve("a.txt"), all);
        // The second file repeats the records and adds a requeued run of a job of the last array.
        String[] requeued = all.lines()
                .filter(line -> line.contains("|sweep|"))
                .reduce("", (a, b) -> b)
                .split("\\|", -1);
        requeued[8] = requeued[7];
        requeued[7] = requeued[5];
        requeued[9] = "01:59:00";
        requeued[13] = "NODE_FAIL";
        String earlier = String.join("|", requeued);
        Files.writeString(folder.resolve("b.txt"), HEAD + earlier + "\n" + all.substring(HEAD.length()));
        Run run = sheaf("savings", "b.txt", "a.txt", "--strategies", "onejob");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("171 jobs", "5 found").containsPattern("alice +sweep +[0-9.]+ +6 ");
    }

    @Test
    void otherTimeZonesAndMissingColumnsAreAccepted() throws IOException {
        String all = accounting();
        StringBuilder fewer = new StringBuilder();
        // Without raw ids, names and eligible times, and with a zone offset in each time.
        for (String line : all.lines().toList()) {
            String[] f = line.split("\\|", -1);
            String zone = f[5].startsWith("2024") ? "+0100" : "";
            fewer.append(String.join("|", f[0], f[2], f[5] + zone, f[7] + zone, f[9], f[10], f[12], f[13]))
                    .append('\n');
        }
        Files.writeString(folder.resolve("a.txt"), fewer);
        Run run = sheaf("savings", "a.txt", "--strategies", "onejob", "--sacct-zone", "America/New_York");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("170 jobs in 34.8 days", "5 found");
    }

    @Test
    void tooLittleDataIsReported() throws IOException {
        String[] lines = accounting().lines().toArray(String[]::new);
        StringBuilder some = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            some.append(lines[i]).append('\n');
        }
        Files.writeString(folder.resolve("a.txt"), some);
        Run run = sheaf("savings", "a.txt", "--strategies", "onejob");
        assertThat(run.out())
                .contains("not enough data for intervals: 1 campaigns in 1 weeks")
                .contains("easy (assumed: not enough data to infer it)");
        Files.writeString(folder.resolve("none.txt"), HEAD);
        Run none = sheaf("savings", "none.txt");
        assertThat(none.status()).isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(none.err()).contains("none.txt: not enough data: no job with a recorded start");
        Run unknown = sheaf("savings", "a.txt", "--user", "carol");
        assertThat(unknown.out()).contains("not enough data: no campaign to replay");
    }

    @Test
    void wrongArgumentsAreRefused() throws IOException {
        assertThat(sheaf("savings").status()).isEqualTo(ExitStatus.USAGE);
        assertThat(sheaf("savings", "--on", "local").err()).contains("its accounting cannot be read");
        Files.writeString(folder.resolve("a.txt"), accounting());
        Run partition = sheaf("savings", "a.txt", "--partition", "btch");
        assertThat(partition.status()).isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(partition.err()).contains("unknown partition 'btch'", "batch");
        assertThat(sheaf("savings", "a.txt", "--strategies", "glum").err()).contains("glum");
        assertThat(sheaf("savings", "a.txt", "gone.txt").status()).isEqualTo(ExitStatus.BAD_INPUT);
    }
}
