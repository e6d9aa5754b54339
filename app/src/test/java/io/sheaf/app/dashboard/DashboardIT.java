package io.sheaf.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.web.Token;
import io.sheaf.app.web.WebServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard in a real browser, beside real runs. Pictures of it are kept in {@code target/dashboard}. */
@Tag("slow")
@Timeout(300)
class DashboardIT {
    private static final Path BUILT = Path.of("target/sheaf").toAbsolutePath();
    private static final Path PICTURES = Path.of("target/dashboard").toAbsolutePath();
    private static final Pattern ADDRESS = Pattern.compile("sheaf: dashboard (http://\\S+)");

    private static final String WORKFLOW = """
            name: bakery
            tasks:
              mix: {time: 2s, out: dough, run: "echo flour and water; sleep 2; echo > dough"}
              bake:
                foreach: {i: 1..3}
                time: 3s
                in: dough
                out: bread-{i}
                run: "echo loaf {i} is in the oven; echo hot >&2; sleep 3; echo > bread-{i}"
              sell: {time: 1s, in: {from: bake}, run: "echo sold; sleep LAST"}
            """;

    @TempDir
    static Path place = Path.of("");

    private static @Nullable Chromium opened;
    private final Chromium browser = Objects.requireNonNull(opened);

    @BeforeAll
    static void openBrowser() throws Exception {
        opened = Chromium.find(place.resolve("profile"), 1500, 1500);
    }

    @AfterAll
    static void closeBrowser() {
        if (opened != null) {
            opened.close();
        }
    }

    /** A run of the built command with its dashboard; its process and the address that it printed. */
    private record Shown(Process process, String address, Path err) {
        void await() throws InterruptedException {
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the run has not ended");
            }
        }
    }

    private static Shown run(String name, String lastSeconds) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(place.resolve(name));
        Files.writeString(folder.resolve("w.yaml"), WORKFLOW.replace("LAST", lastSeconds));
        Path err = folder.resolve("err.txt");
        ProcessBuilder builder = new ProcessBuilder(
                        BUILT.toString(), "run", "w.yaml", "--nodes", "3", "--run-dir", name, "--dashboard")
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(err.toFile());
        builder.environment().put("SHEAF_CACHE", place.resolve("cache").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        for (int i = 0; i < 1200; i++) {
            Matcher told = ADDRESS.matcher(Files.readString(err));
            if (told.find()) {
                return new Shown(process, told.group(1), err);
            }
            Thread.sleep(50);
        }
        process.destroyForcibly();
        throw new AssertionError("no address was printed: " + Files.readString(err));
    }

    @Test
    void aRunIsFollowedToItsEnd() throws Exception {
        browser.dark(false);
        Shown shown = run("followed", "1");
        browser.open(shown.address);
        browser.await("document.querySelector('#run-state')?.textContent === 'running'");
        assertThat(String.valueOf(browser.eval("location.href"))).doesNotContain("token");
        // A decision, with what it beat.
        browser.await("document.querySelectorAll('#decisions details').length > 0");
        browser.click("#decisions summary");
        browser.await("document.querySelector('#decisions details[open]')");
        assertThat(browser.text("#force")).contains("makespan").contains("✓");
        // What a task prints, while it runs: by keys only.
        browser.await("document.querySelector('#progress-legend').textContent.includes('3 running')");
        browser.eval("document.getElementById('dag').focus()");
        browser.key("ArrowRight");
        browser.key("ArrowRight");
        browser.key("Enter");
        browser.await("document.getElementById('log').textContent.includes('is in the oven')");
        assertThat(browser.text("#task-title")).startsWith("Task bake-");
        browser.screenshot(PICTURES.resolve("running.png"));
        browser.click("[data-stream=err]");
        browser.await("document.getElementById('log').textContent.trim() === 'hot'");
        // The queue, and a shape that is dragged.
        browser.await("document.getElementById('estimate').textContent.includes('would start')");
        String before = browser.text("#shape-nodes-told") + browser.text("#shape-time-told");
        browser.drag("#queue", 0.3, 0.6, 0.5, 0.2, 5);
        assertThat(browser.text("#shape-nodes-told") + browser.text("#shape-time-told"))
                .isNotEqualTo(before);
        browser.await("document.querySelector('#run-state').textContent === 'done'");
        browser.await("document.querySelector('#jobs td:last-child').textContent === 'done'");
        assertThat(browser.text("#why")).startsWith("All 5 tasks done");
        browser.screenshot(PICTURES.resolve("done.png"));
        shown.await();
        assertThat(shown.process.exitValue()).isZero();
        assertThat(browser.problems().stream().filter(problem -> !problem.contains("ERR_CONNECTION")))
                .isEmpty();
    }

    @Test
    void aRunIsCancelled() throws Exception {
        Shown shown = run("cancelled", "300");
        browser.open(shown.address);
        browser.await("document.querySelector('#run-state')?.textContent === 'running'");
        browser.await("!document.querySelector('#cancel').hidden");
        browser.click("#cancel");
        browser.await("document.querySelector('#confirm').open");
        browser.screenshot(PICTURES.resolve("confirm.png"));
        browser.click("#confirm-yes");
        browser.await("document.querySelector('#run-state').textContent === 'cancelled'");
        browser.screenshot(PICTURES.resolve("cancelled.png"));
        shown.await();
        assertThat(shown.process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(shown.err)).contains("the run was cancelled");
    }

    @Test
    void runsAndTablesAndBothThemes() throws Exception {
        Shown shown = run("listed", "1");
        shown.await();
        Path state = Files.createDirectories(place.resolve("state"));
        Files.move(place.resolve("listed/listed"), state.resolve("listed"));
        Path lab = Files.createDirectories(place.resolve("lab"));
        Files.writeString(
                lab.resolve("runs.csv"),
                "run,strategy,makespan_seconds\n1,glume,100\n2,zhang,130\n3,glume,110\n4,zhang,90\n");
        Token token = Token.random();
        try (WebServer server = Dashboard.open(RunFolders.in(state), lab, null, 0, token)) {
            browser.open(server.addressWithToken());
            browser.await("document.querySelectorAll('#runs .card').length === 1");
            browser.screenshot(PICTURES.resolve("runs.png"));
            for (boolean dark : List.of(false, true)) {
                browser.dark(dark);
                browser.open(server.address() + "#/run/listed");
                browser.await("document.querySelectorAll('#jobs tr').length > 0");
                browser.await("document.querySelector('#run-state').textContent === 'done'");
                browser.screenshot(PICTURES.resolve(dark ? "dark.png" : "light.png"));
                browser.open("about:blank");
            }
            browser.open(server.address() + "#/lab/runs.csv");
            browser.await("document.querySelectorAll('#cells tr').length === 4");
            assertThat(browser.text("#compare div.first")).startsWith("glume").contains("105");
            browser.eval("(() => { const f = document.querySelectorAll('#filters input')[2]; f.value = '>95';"
                    + " f.dispatchEvent(new Event('input')); })()");
            browser.await("document.querySelectorAll('#cells tr').length === 3");
            assertThat(browser.text("#compare div:last-child"))
                    .startsWith("zhang")
                    .contains("130");
            browser.screenshot(PICTURES.resolve("lab.png"));
        }
    }

    /** Bars as of a run on 400 nodes, almost all in view at first, then a tenth of them; a step is what one movement of the mouse costs; a frame of 60 a second has 17 ms. */
    @Test
    void aGanttOfTwentyThousandBarsPans() throws Exception {
        try (WebServer server =
                Dashboard.open(RunFolders.in(place.resolve("empty")), place.resolve("lab"), null, 0, Token.random())) {
            browser.dark(false);
            browser.open(server.addressWithToken());
            browser.await("typeof Gantt === 'function' && document.getElementById('runs-page') !== null");
            browser.eval(PANNING.replace("SHARE", "50"));
            for (int share : List.of(95, 10)) {
                double step = browser.cost(PANNING.replace("SHARE", Integer.toString(share))) / STEPS;
                System.out.println(
                        "dashboard: 20,000 bars, " + share + " % in view: " + step + " ms a step of panning");
                assertThat(step).isLessThan(50);
            }
            double drawing = browser.cost(DRAWING) / STEPS;
            System.out.println("dashboard: a workflow of 5,000 tasks: " + drawing + " ms to draw");
            assertThat(drawing).isLessThan(50);
            browser.screenshot(PICTURES.resolve("tasks-5000.png"));
        }
    }

    private static final int STEPS = 100;

    /** So many steps, each drawn at once and not with the next frame. */
    private static final String PANNING = """
            (() => {
              const n = 20000, nodes = 400, view = new TimeWindow(0, n / nodes * 60, 1);
              const canvas = document.body.appendChild(document.createElement("canvas"));
              canvas.style.height = "460px";
              const start = Float64Array.from({ length: n }, (_, i) => Math.floor(i / nodes) * 60 + i % 7);
              const gantt = new Gantt(canvas, view, new Elapsed(), { rows: nodes, colours: ["cat0", "cat1", "cat2"], bars: {
                start, end: start.map((at, i) => at + 40 + i % 13), row: Uint32Array.from({ length: n }, (_, i) => i % nodes),
                rows: new Uint32Array(n).fill(1), kind: Uint8Array.from({ length: n }, (_, i) => i % 3), item: Uint32Array.from({ length: n }, (_, i) => i) } });
              canvas.width = 1400; canvas.height = 460;
              const context = canvas.getContext("2d");
              const span = view.last * SHARE / 100;
              for (let step = 0; step < 100; step++) {
                view.set(step / 100 * (view.last - span), step / 100 * (view.last - span) + span);
                gantt.draw(context, 1400, 460);
                context.getImageData(0, 0, 1, 1);
              }
              canvas.remove();
            })()
            """;

    private static final String DRAWING = """
            (() => {
              document.getElementById("runs-page").hidden = true;
              const canvas = document.getElementById("main").appendChild(document.createElement("canvas"));
              canvas.className = "dag";
              const tasks = Array.from({ length: 5000 }, (_, i) => ({ id: "t" + i, level: Math.floor(i / 500), parents: i < 500 ? [] : [i - 500] }));
              const dag = new Dag(canvas, () => {});
              dag.load(tasks);
              dag.show(Array.from({ length: 5000 }, (_, i) => i < 2600 ? "d" : i < 2650 ? "r" : i < 3000 ? "y" : "w").join(""));
              canvas.width = canvas.clientWidth; canvas.height = canvas.clientHeight;
              const context = canvas.getContext("2d");
              for (let step = 0; step < 100; step++) {
                dag.draw(context, canvas.clientWidth, canvas.clientHeight);
                context.getImageData(0, 0, 1, 1);
              }
            })()
            """;
}
