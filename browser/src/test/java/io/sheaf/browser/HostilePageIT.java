package io.sheaf.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Markup in the names and output of a run is text on its page, while the run is live and after it. */
@Timeout(300)
class HostilePageIT {
    /** Two tasks; the second waits for the file {@code go}. */
    private static final String WORKFLOW = """
            name: "</script><img src=x onerror=evil()><svg onload=evil()>"
            tasks:
              "</div><img src=x onerror=evil()>":
                time: 5s
                category: "</td><script>evil()</script>'\\"><b class=evil>"
                run: 'printf "</pre><img src=x onerror=evil()><script>evil()</script>\\n"; echo "<b class=evil>" > {out}'
                out: "<img src=x onerror=evil()>.txt"
              "\\" autofocus onfocus='evil()' class=evil x=\\"":
                time: 5s
                in: "<img src=x onerror=evil()>.txt"
                category: "--><b class=evil>&lt;b&gt;</script>"
                run: 'printf "<iframe srcdoc=\\"<script>parent.evil()</script>\\">\\n" >&2; until [ -e go ]; do sleep 0.1; done; exit 3'
            """;

    @TempDir
    Path place = Path.of("");

    @Test
    void markupInARunStaysText() throws Exception {
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1500, 1100, ColorScheme.LIGHT);
                ShownRun shown = ShownRun.start(place, WORKFLOW, "--nodes", "1")) {
            tab.page().addInitScript("""
                    window.evil = () => { window.ran = true; };
                    window.injected = [];
                    new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(node => {
                      if (node.nodeType !== Node.ELEMENT_NODE) return;
                      for (const each of [node, ...node.querySelectorAll("*")]) {
                        if (each.matches(".evil, iframe, [src=x], [onerror], [onload], [onfocus], script:not([src], [type])"))
                          window.injected.push(each.outerHTML);
                      }
                    }))).observe(document, { childList: true, subtree: true });
                    """);
            assertThat(tab.open(shown.address())).isEqualTo(200);
            tab.await("document.querySelector('#progress-legend').textContent.includes('1 running')");
            tab.await("document.querySelectorAll('#decisions details').length > 0");
            tab.await("document.querySelectorAll('#jobs tr').length > 0");
            tab.await("document.getElementById('data').children.length > 0");
            showTasks(tab);
            assertNothingInjected(tab);
            tab.picture("hostile-live");
            Files.createFile(place.resolve("go"));
            tab.await("document.querySelector('#run-state').textContent === 'failed'");
            tab.picture("hostile-ended");
            assertNothingInjected(tab);
            // The observer finds such an element.
            tab.eval("document.getElementById('data').innerHTML = '<img src=x onerror=evil()>'");
            tab.await("window.injected.length === 1");
            assertThat(shown.await()).isEqualTo(1);
        }
    }

    /** Shows both tasks with their output: the boxes of two levels with one task each. */
    private static void showTasks(Tab tab) {
        assertThat(tab.text("#run-title")).isEqualTo("</script><img src=x onerror=evil()><svg onload=evil()>");
        assertThat(tab.page().title()).startsWith("</script><img src=x");
        showTask(tab, 0.25, "Task </div><img src=x onerror=evil()>", "out", "</pre><img src=x");
        showTask(tab, 0.75, "Task \" autofocus onfocus='evil()' class=evil", "err", "<iframe srcdoc=");
    }

    private static void showTask(Tab tab, double x, String title, String stream, String output) {
        Locator dag = tab.find("#dag");
        BoundingBox box = dag.boundingBox();
        dag.click(new Locator.ClickOptions().setPosition(x * box.width, box.height / 2));
        assertThat(tab.text("#task-title")).startsWith(title);
        tab.find("[data-stream=" + stream + "]").click();
        tab.await("document.getElementById('log').textContent.includes('" + output + "')");
    }

    private static void assertNothingInjected(Tab tab) {
        assertThat(tab.eval("window.injected")).as("injected elements").isEqualTo(List.of());
        assertThat(tab.eval("window.ran === undefined")).as("no script ran").isEqualTo(true);
        // The server ends with the run.
        assertThat(tab.problems().stream().filter(problem -> !problem.contains("ERR_CONNECTION")))
                .as("scripts that the policy blocked")
                .isEmpty();
    }
}
