package io.sheaf.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that every control of the dashboard works with the keyboard, and that the focus is visible. */
@Timeout(300)
class KeyboardIT {
    private static final int MAX_TABS = 80;

    /** The element with the focus, and whether its outline is drawn. */
    private static final String FOCUSED = """
            (() => {
              const e = document.activeElement;
              const seen = e.matches(":focus-visible") && parseFloat(getComputedStyle(e).outlineWidth) > 0;
              return (e.id || e.dataset.stream || e.dataset.page || (e.dataset.job ? "job" : e.tagName.toLowerCase())) + (seen ? "" : " unseen");
            })()
            """;

    @Test
    void aRunIsInspectedAndCancelledWithTheKeyboard(@TempDir Path place) throws Exception {
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1280, 900, ColorScheme.LIGHT);
                ShownRun shown = ShownRun.start(place, ShownRun.bakery(300), "--nodes", "3")) {
            tab.open(shown.address().replaceFirst("#.*", ""));
            tabTo(tab, "a");
            tab.await("document.querySelector('#runs .card') !== null");
            while (!String.valueOf(tab.eval("document.activeElement.className")).equals("card")) {
                tab.key("Tab");
            }
            tab.key("Enter");
            tab.await("document.querySelector('#run-state').textContent === 'running'");
            tab.await("document.querySelector('#progress-legend').textContent.includes('3 running')");
            tab.await("document.querySelector('#jobs tr') && document.querySelector('#decisions summary')");

            // Tab reaches the end of the page and continues at its start.
            List<String> reached = tabTo(tab, "main");
            reached.addAll(tabTo(tab, "gantt"));
            assertThat(reached)
                    .as("all controls, each with a visible focus")
                    .contains("runs", "lab", "theme", "cancel", "gantt", "colour", "task", "dag", "job")
                    .contains("shape-nodes", "shape-time", "log", "summary")
                    .allSatisfy(each -> assertThat(each).doesNotContain("unseen"));

            tabTo(tab, "dag");
            tab.key("ArrowRight");
            tab.key("ArrowRight");
            tab.key("ArrowDown");
            tab.key("Enter");
            tab.await("document.getElementById('log').textContent.includes('loaf 2 is in the oven')");
            assertThat(tabTo(tab, "err")).contains("out");
            tab.key("Enter");
            tab.await("document.getElementById('log').textContent.trim() === 'hot'");

            tabTo(tab, "summary");
            tab.key("Enter");
            assertThat(tab.find("#decisions details[open] .options").isVisible())
                    .isTrue();

            tabTo(tab, "gantt");
            tab.key("n");
            assertThat(tab.text("#selection")).startsWith("Task mix");
            String whole = tab.text("#period");
            tab.key("+");
            assertThat(tab.text("#period")).isNotEqualTo(whole);
            tab.key("Enter");
            assertThat(tab.text("#task-title")).isEqualTo("Task mix");

            tabTo(tab, "shape-nodes");
            tab.key("ArrowRight");
            assertThat(tab.text("#shape-nodes-value")).isEqualTo("2");
            tab.picture("keys");

            tabTo(tab, "cancel");
            tab.key("Enter");
            tab.await("document.getElementById('confirm').open");
            assertThat(tab.text(":focus"))
                    .as("the focus is on the harmless button")
                    .isEqualTo("Keep running");
            tab.key("Tab");
            tab.key("Enter");
            tab.await("document.querySelector('#run-state').textContent === 'cancelled'");
            assertThat(shown.await()).isEqualTo(1);
        }
    }

    /**
     * Presses Tab until the target element has the focus, and returns the elements that had it before. {@code main}
     * stands for the rest of the page.
     */
    private static List<String> tabTo(Tab tab, String target) {
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < MAX_TABS; i++) {
            tab.key("Tab");
            String now = String.valueOf(tab.eval(FOCUSED));
            if (now.equals(target) || (target.equals("main") && now.startsWith("body"))) {
                return reached;
            }
            if (!now.startsWith("body")) {
                reached.add(now);
            }
        }
        throw new AssertionError("Tab did not reach " + target + ", but " + reached);
    }
}
