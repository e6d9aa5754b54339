package io.sheaf.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import io.sheaf.app.dashboard.Dashboard;
import io.sheaf.app.dashboard.RunFolders;
import io.sheaf.app.web.Token;
import io.sheaf.app.web.WebServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the dashboard of real runs with the mouse. */
@Timeout(300)
class DashboardIT {
    @TempDir
    Path place = Path.of("");

    @Test
    void theDashboardFollowsARunToItsEnd() throws Exception {
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1500, 1100, ColorScheme.LIGHT);
                ShownRun shown = ShownRun.start(place, ShownRun.bakery(1), "--nodes", "3")) {
            assertThat(tab.open(shown.address())).isEqualTo(200);
            tab.await("document.querySelector('#run-state').textContent === 'running'");
            assertThat(tab.page().url()).doesNotContain("token");
            // A decision with its rejected options.
            tab.find("#decisions summary").click();
            assertThat(tab.find("#decisions details[open] .options").isVisible())
                    .isTrue();
            assertThat(tab.text("#current-decision")).contains("makespan").contains("✓");
            readOutput(tab);
            dragShape(tab);
            tab.await("document.querySelector('#run-state').textContent === 'done'");
            tab.await("document.querySelector('#jobs td:last-child').textContent === 'done'");
            assertThat(tab.text("#state-reason")).startsWith("All 5 tasks done");
            tab.picture("done");
            assertThat(shown.await()).isZero();
            // The server ends with the run, so requests that fail from now on are no problem.
            tab.await("document.querySelector('#connection').textContent === 'run ended'");
            assertThat(tab.find("#connection").getAttribute("class")).doesNotContain("disconnected");
            assertThat(tab.problems().stream().filter(problem -> !problem.contains("ERR_CONNECTION")))
                    .isEmpty();
        }
    }

    /** Checks that the page shows the output of a running task. */
    private static void readOutput(Tab tab) {
        tab.await("document.querySelector('#progress-legend').textContent.includes('3 running')");
        // The middle of three boxes in the second of three levels.
        tab.find("#dag").click();
        tab.await("document.getElementById('log').textContent.includes('loaf 2 is in the oven')");
        assertThat(tab.text("#task-title")).isEqualTo("Task bake-2");
        tab.picture("running");
        tab.find("[data-stream=err]").click();
        tab.await("document.getElementById('log').textContent.trim() === 'hot'");
    }

    private static void dragShape(Tab tab) {
        tab.await("document.getElementById('estimate').textContent.includes('estimated start')");
        String before = tab.text("#shape-nodes-value") + tab.text("#shape-time-value");
        tab.drag("#queue", 0.3, 0.6, 0.5, 0.2, 5);
        assertThat(tab.text("#shape-nodes-value") + tab.text("#shape-time-value"))
                .isNotEqualTo(before);
    }

    @Test
    void theDashboardCancelsARun() throws Exception {
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1280, 900, ColorScheme.LIGHT);
                ShownRun shown = ShownRun.start(place, ShownRun.bakery(300), "--nodes", "3")) {
            tab.open(shown.address());
            tab.await("document.querySelector('#run-state').textContent === 'running'");
            tab.find("#cancel").click();
            tab.picture("confirm");
            tab.find("#confirm-yes").click();
            tab.await("document.querySelector('#run-state').textContent === 'cancelled'");
            // The page shows no job or task as still active.
            tab.await("['stopped', 'cancelled'].includes(document.querySelector('#jobs td:last-child').textContent)");
            assertThat(tab.text("#progress-legend")).contains("not run").doesNotContain("waiting");
            tab.picture("cancelled");
            assertThat(shown.await()).isEqualTo(1);
            assertThat(shown.err()).contains("the run was cancelled");
        }
    }

    @Test
    void aTokenIsRequired() throws Exception {
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1280, 900, ColorScheme.LIGHT);
                Tab stranger = browser.tab(1280, 900, ColorScheme.LIGHT);
                WebServer server = Dashboard.open(RunFolders.in(place), place, 0, Token.random())) {
            assertThat(tab.open(server.addressWithToken())).isEqualTo(200);
            tab.await("document.querySelector('#connection').textContent === 'live'");
            assertThat(tab.open(server.address())).as("with the cookie").isEqualTo(200);
            for (String path : new String[] {"", "assets/dashboard.js", "api/runs", "?token=wrong"}) {
                assertThat(stranger.open(server.address() + path)).as(path).isEqualTo(401);
            }
            assertThat(stranger.text("body")).contains("token");
            stranger.picture("no-token");
        }
    }

    @Test
    void tablesAreFilteredAndCompared() throws Exception {
        Files.writeString(
                place.resolve("runs.csv"),
                "run,strategy,makespan_seconds\n1,glume,100\n2,zhang,130\n3,glume,110\n4,zhang,90\n");
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1280, 900, ColorScheme.LIGHT);
                WebServer server = Dashboard.open(RunFolders.in(place.resolve("none")), place, 0, Token.random())) {
            tab.open(server.addressWithToken());
            tab.find("[data-page=lab]").click();
            tab.await("document.querySelectorAll('#cells tr').length === 4");
            assertThat(tab.text("#compare div.first")).startsWith("glume").contains("105");
            tab.page().getByLabel("Filter makespan_seconds").fill(">95");
            tab.await("document.querySelectorAll('#cells tr').length === 3");
            assertThat(tab.text("#compare div:last-child")).startsWith("zhang").contains("130");
            tab.page().getByText("makespan_seconds").last().click();
            tab.picture("lab");
            assertThat(tab.problems()).isEmpty();
        }
    }
}
