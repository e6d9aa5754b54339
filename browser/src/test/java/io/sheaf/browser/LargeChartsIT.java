package io.sheaf.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import io.sheaf.testing.Finished;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests large charts on real pages: a Gantt chart of 20,000 bars that is dragged, and a run of 5,000 tasks. */
@Timeout(300)
class LargeChartsIT {
    private static final int STEPS = 100;

    /**
     * The maximum CPU time of a step in milliseconds. At 60 frames per second a frame has 17 ms; a delay of 100 ms is
     * visible. Frame times are only printed: they depend on other work on the machine.
     */
    private static final double MAX_STEP_MILLIS = 50;

    /** Records the times of frames until {@link #FRAMES} stops it. */
    private static final String WATCH = """
            (() => {
              window.shownAt = [];
              const note = at => { window.shownAt.push(at); if (window.shownAt.length < 100000) window.frameRequest = requestAnimationFrame(note); };
              window.frameRequest = requestAnimationFrame(note);
            })()
            """;

    private static final String FRAMES = """
            (() => {
              cancelAnimationFrame(window.frameRequest);
              const apart = window.shownAt.slice(1).map((at, i) => at - window.shownAt[i]).sort((a, b) => a - b);
              const share = part => apart[Math.floor(part * (apart.length - 1))].toFixed(0) + " ms";
              return apart.length + " frames, " + share(0.5) + " apart in the middle, 95 % of them at most " + share(0.95);
            })()
            """;

    @TempDir
    Path place = Path.of("");

    /** The page of a simulated run draws its chart with the code of the dashboard. */
    @Test
    void aGanttChartOfTwentyThousandBarsPansSmoothly() throws Exception {
        sheaf("generate", "cybershake", "--tasks", "20000", "--work", "5000h", "-o", "w.json");
        sheaf("simulate", "w.json", "--model", "kth-like", "--days", "3", "--strategy", "onejob", "--html", "run.html");
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1500, 1000, ColorScheme.LIGHT)) {
            tab.open(place.resolve("run.html").toUri().toString());
            tab.find("#gantt").click();
            tab.key("n");
            assertThat(tab.text("#selection")).startsWith("Task ");
            for (double share : new double[] {0.95, 0.1}) {
                tab.key("0");
                tab.page().mouse().wheel(0, Math.log(share) / 0.002);
                tab.await("!document.querySelector('#period').textContent.startsWith('0:00:00 –')");
                String before = tab.text("#period");
                tab.eval(WATCH);
                double cost = browser.processorMillis();
                tab.drag("#gantt", 0.3, 0.5, 0.7, 0.5, STEPS / 2);
                tab.drag("#gantt", 0.7, 0.5, 0.2, 0.5, STEPS / 2);
                cost = (browser.processorMillis() - cost) / STEPS;
                assertThat(tab.text("#period")).as("moved").isNotEqualTo(before);
                System.out.printf(
                        Locale.ROOT,
                        "browser: 20,000 bars, %.0f %% of the time in view: %.1f ms a step of panning; %s%n",
                        100 * share,
                        cost,
                        tab.eval(FRAMES));
                tab.picture("bars-20000-" + Math.round(100 * share));
                assertThat(cost).isLessThan(MAX_STEP_MILLIS);
            }
            assertThat(tab.problems()).isEmpty();
        }
    }

    @Test
    void aRunOfFiveThousandTasksIsUsable() throws Exception {
        String workflow = """
                name: sweep
                tasks:
                  first: {foreach: {i: 1..2400}, time: 1s, out: "a-{i}", run: "echo {i} > a-{i}"}
                  second: {foreach: {i: 1..2400}, time: 1s, in: "a-{i}", run: "echo second {i}"}
                  third: {foreach: {i: 1..200}, time: 1s, after: second-1, run: "echo third {i}"}
                """;
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1280, 900, ColorScheme.LIGHT);
                ShownRun shown = ShownRun.start(place, workflow, "--nodes", "4")) {
            tab.open(shown.address());
            tab.await("/[0-9]{2,} done/.test(document.querySelector('#progress-legend').textContent)");
            tab.find("#dag").focus();
            tab.key("End");
            assertThat(tab.text("#dag-selection")).startsWith("third-200: ");
            tab.key("Home");
            assertThat(tab.text("#dag-selection")).startsWith("first-1: ");
            tab.eval(WATCH);
            double cost = browser.processorMillis();
            for (int i = 0; i < STEPS; i++) {
                tab.key("ArrowDown");
            }
            cost = (browser.processorMillis() - cost) / STEPS;
            assertThat(tab.text("#dag-selection")).startsWith("first-101: ");
            System.out.printf(
                    Locale.ROOT,
                    "browser: 5,000 tasks, from task to task: %.1f ms a step; %s%n",
                    cost,
                    tab.eval(FRAMES));
            tab.picture("tasks-5000");
            assertThat(cost).isLessThan(MAX_STEP_MILLIS);
            assertThat(tab.problems()).isEmpty();
        }
    }

    private void sheaf(String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of(ShownRun.BUILT.toString()));
        line.addAll(List.of(arguments));
        Finished done =
                Finished.run(place, Map.of("SHEAF_CACHE", place.resolve("cache").toString()), 120, line);
        assertThat(done.status()).as(done.err()).isZero();
    }
}
