package io.sheaf.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import io.sheaf.app.dashboard.Dashboard;
import io.sheaf.app.dashboard.RunFolders;
import io.sheaf.app.web.Token;
import io.sheaf.app.web.WebServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests pages in light and dark, in several widths and with simulated colour vision deficiencies. The screenshots are
 * for manual inspection.
 */
@Timeout(300)
class AppearanceIT {
    /** Tasks that are done, failed or skipped at the end of the run; before that, some are running or waiting. */
    private static final String WORKFLOW = """
            name: survey
            tasks:
              fetch: {time: 1s, run: "echo fetched; sleep 1"}
              clean:
                foreach: {i: 1..4}
                time: 2s
                after: fetch
                retries: 0
                run: "echo part {i}; sleep 4; test {i} != 3"
              merge: {time: 1s, after: clean, run: "echo merged"}
              other: {time: 30s, after: fetch, run: "sleep 300"}
              last: {time: 1s, after: [other, clean-1], run: "echo last"}
            """;

    @TempDir
    Path place = Path.of("");

    @Test
    void pagesFitEveryWidthInBothThemes() throws Exception {
        try (Chromium browser = Chromium.open();
                ShownRun shown = ShownRun.start(
                        place, WORKFLOW, "--nodes", "4", "--background", "kth-like@600x", "--keep-going")) {
            try (Tab first = browser.tab(1280, 900, ColorScheme.LIGHT)) {
                first.open(shown.address());
                first.await("document.querySelector('#progress-legend').textContent.includes('failed')");
            }
            for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                for (int width : List.of(1280, 800, 390)) {
                    checkPage(browser, shown.address(), "#run-state", colours, width, "run");
                }
            }
            for (String vision : List.of("deuteranopia", "protanopia", "tritanopia", "achromatopsia")) {
                try (Tab tab = browser.tab(1280, 900, ColorScheme.LIGHT)) {
                    tab.vision(vision);
                    tab.open(shown.address());
                    tab.await("document.querySelectorAll('#jobs tr').length > 0");
                    tab.picture("run-" + vision);
                }
            }
        }
        try (Chromium browser = Chromium.open();
                WebServer server = Dashboard.open(RunFolders.in(place), place, 0, Token.random())) {
            for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                for (int width : List.of(1280, 800)) {
                    checkPage(browser, server.addressWithToken(), "#runs .card", colours, width, "runs");
                }
            }
        }
    }

    /**
     * Draws each task state as a box (few tasks) and as a cell (many tasks), and returns the difference in grey of each
     * pair of states: the mean over the pixels, of 255.
     */
    private static final String DIFFERENCES = """
            (() => {
              const letters = Object.keys(STATES);
              const differences = [];
              for (const cells of [0, 2000]) {
                const grey = letters.map(letter => {
                  const canvas = document.body.appendChild(document.createElement("canvas"));
                  const dag = new Dag(canvas, () => {});
                  dag.load([{ id: "t", level: 0, parents: [] }, ...Array.from({ length: cells }, (_, i) => ({ id: "u" + i, level: 1, parents: [] }))]);
                  dag.show(letter + "w".repeat(cells));
                  [canvas.width, canvas.height] = [600, 300];
                  const context = canvas.getContext("2d");
                  dag.draw(context, 600, 300);
                  const { x, y, w, h } = dag.boxes[0];
                  const { data } = context.getImageData(Math.floor(x) - 1, Math.floor(y) - 1, Math.ceil(w) + 2, Math.ceil(h) + 2);
                  canvas.remove();
                  return Array.from({ length: data.length / 4 }, (_, i) => {
                    const [r, g, b, a] = data.slice(4 * i, 4 * i + 4);
                    return (0.2126 * r + 0.7152 * g + 0.0722 * b) * a / 255 + 255 - a;
                  });
                });
                for (let i = 0; i < letters.length; i++) for (let j = 0; j < i; j++) {
                  const off = grey[i].reduce((sum, value, k) => sum + Math.abs(value - grey[j][k]), 0) / grey[i].length;
                  differences.push(letters[j] + letters[i] + (cells ? " in cells " : " in boxes ") + off.toFixed(1));
                }
              }
              return differences.join(", ");
            })()
            """;

    @Test
    void taskStatesDifferInGreyscale() throws Exception {
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1280, 900, ColorScheme.LIGHT);
                WebServer server = Dashboard.open(RunFolders.in(place), place, 0, Token.random())) {
            tab.open(server.addressWithToken());
            String differences = String.valueOf(tab.eval(DIFFERENCES));
            assertThat(differences.split(", ")).hasSize(30).allSatisfy(each -> assertThat(
                            Double.parseDouble(each.substring(each.lastIndexOf(' '))))
                    .as(each)
                    .isGreaterThan(4));
        }
    }

    private static void checkPage(
            Chromium browser, String address, String selector, ColorScheme colours, int width, String name) {
        try (Tab tab = browser.tab(width, 900, colours)) {
            tab.open(address);
            tab.find(selector).waitFor();
            if (name.equals("run")) {
                tab.await("document.querySelectorAll('#jobs tr').length > 0");
                tab.find("#decisions summary").click();
            }
            tab.picture(name + "-" + colours.name().toLowerCase(Locale.ROOT) + "-" + width);
            assertThat(tab.eval("document.documentElement.scrollWidth"))
                    .as("the page fits into %d px", width)
                    .isEqualTo(width);
            assertThat(tab.problems()).isEmpty();
        }
    }
}
