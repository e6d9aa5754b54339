package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The command on the raw KTH log with the thesis profile gives the makespans of the authors' simulator. */
class ThesisProfileTest {
    private static final Pattern MAKESPAN = Pattern.compile("\"makespanSeconds\" : ([0-9.]+)");
    /** Each run replays the whole log, so only every 41st case is tested here; ThesisMakespansTest has all of them. */
    private static final int EVERY = 41;

    @Test
    void theThesisProfileGivesTheAuthorsMakespans() throws IOException {
        List<String> cases = Files.readAllLines(Shared.path("reference/thesis/workflow_makespans.csv"));
        String log = Shared.path("data/workloads/KTH-SP2-1996-2.1-cln.swf.gz").toString();
        for (int i = 2; i < cases.size(); i += EVERY) {
            String[] f = cases.get(i).split(",", -1);
            Run run = Run.of(
                    "simulate",
                    Shared.path("data/workflows/dax/" + f[0] + ".dax").toString(),
                    "--trace",
                    log,
                    "--nodes",
                    "100",
                    "--profile",
                    "thesis",
                    "--estimates",
                    f[1].equals("accurate") ? "accurate" : "requested",
                    "--cap",
                    f[3],
                    "--start",
                    f[5] + "s",
                    "--strategy",
                    strategy(f[6]),
                    "--json");
            assertThat(run.status()).as(run.err()).isZero();
            Matcher found = MAKESPAN.matcher(run.out());
            assertThat(found.find()).isTrue();
            double theirs = Double.parseDouble(f[7]);
            double tolerance = f[6].equals("static:one_job_per_task") ? 0.1 : 0.01;
            assertThat(Math.abs(Double.parseDouble(found.group(1)) / theirs - 1))
                    .as(cases.get(i))
                    .isLessThan(tolerance);
        }
    }

    private static String strategy(String theirs) {
        String[] words = theirs.split(":", -1);
        return switch (words[0]) {
            case "zhang" ->
                String.format(
                        Locale.ROOT,
                        "zhang:global=%s,bsearch=%s,sizing=%s",
                        words[1].equals("global"),
                        words[2].equals("bsearch"),
                        words[3].equals("prediction"));
            case "glume", "test" -> "glume";
            default ->
                switch (words[1]) {
                    case "one_job_per_task" -> "onejobpertask";
                    case "levelbylevel-0" -> "levelbylevel";
                    default -> "onejob";
                };
        };
    }
}
