package io.sheaf.app.dashboard;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A Chromium without a window, with one page, steered by its DevTools protocol. */
final class Chromium implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;
    private static final String LISTENS = "DevTools listening on ";

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Map<?, ?>>> asked = new ConcurrentHashMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private String session = "";

    Chromium(Path program, Path profile, int width, int height) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TMPDIR", Files.createDirectories(profile).toString());
        process = builder.start();
        BufferedReader lines = process.errorReader(StandardCharsets.UTF_8);
        String address = address(lines);
        Thread rest = new Thread(() -> drain(lines), "chromium");
        rest.setDaemon(true);
        rest.start();
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address), new Answers())
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        Map<?, ?> target = call("Target.createTarget", "\"url\":\"about:blank\"");
        session = text(
                call("Target.attachToTarget", "\"flatten\":true,\"targetId\":\"" + target.get("targetId") + "\""),
                "sessionId");
        for (String domain : List.of("Page", "Runtime", "Log")) {
            call(domain + ".enable", "");
        }
        size(width, height);
    }

    /** Debian's, which is installed if it is missing; the test is skipped where it cannot be had. */
    static Chromium find(Path profile, int width, int height) throws Exception {
        Process find = new ProcessBuilder(Path.of("../tools/chromium/find")
                        .toAbsolutePath()
                        .normalize()
                        .toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(find.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assumeTrue(find.waitFor() == 0, "skipped: " + said);
        return new Chromium(Path.of(said.lines().reduce("", (before, line) -> line)), profile, width, height);
    }

    private static String address(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(LISTENS)) {
                return line.substring(LISTENS.length()).strip();
            }
        }
        throw new IOException("Chromium ended before it listened");
    }

    private static void drain(BufferedReader lines) {
        try {
            while (lines.readLine() != null) {
                // Otherwise it would wait for somebody to read.
            }
        } catch (IOException e) {
            // It has ended.
        }
    }

    private static String text(Map<?, ?> map, String name) {
        return String.valueOf(map.get(name));
    }

    /** Gives a command of the protocol; the result. */
    Map<?, ?> call(String method, String parameters) throws Exception {
        int id = ids.incrementAndGet();
        CompletableFuture<Map<?, ?>> answer = new CompletableFuture<>();
        asked.put(id, answer);
        String to = session.isEmpty() ? "" : ",\"sessionId\":\"" + session + "\"";
        socket.sendText(
                        "{\"id\":" + id + ",\"method\":\"" + method + "\"" + to + ",\"params\":{" + parameters + "}}",
                        true)
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        Map<?, ?> said = answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (said.get("error") instanceof Map<?, ?> error) {
            throw new IOException(method + ": " + error.get("message"));
        }
        return said.get("result") instanceof Map<?, ?> result ? result : Map.of();
    }

    void open(String address) throws Exception {
        call("Page.navigate", "\"url\":" + quoted(address));
    }

    void size(int width, int height) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                "\"width\":" + width + ",\"height\":" + height + ",\"deviceScaleFactor\":1,\"mobile\":false");
    }

    void dark(boolean dark) throws Exception {
        call(
                "Emulation.setEmulatedMedia",
                "\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + (dark ? "dark" : "light") + "\"}]");
    }

    /** What an expression of the page is. */
    @Nullable
    Object eval(String expression) throws Exception {
        Map<?, ?> result = call(
                "Runtime.evaluate",
                "\"awaitPromise\":true,\"returnByValue\":true,\"expression\":" + quoted(expression));
        if (result.containsKey("exceptionDetails")) {
            throw new IOException(expression + ": " + result.get("exceptionDetails"));
        }
        return result.get("result") instanceof Map<?, ?> value ? value.get("value") : null;
    }

    /** What an expression of the page costs, in milliseconds of processor time: other work on the machine does not count. */
    double cost(String expression) throws Exception {
        long before = processorMillis();
        eval(expression);
        return processorMillis() - before;
    }

    private long processorMillis() {
        return process.descendants()
                .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .mapToLong(Duration::toMillis)
                .sum();
    }

    String text(String selector) throws Exception {
        return String.valueOf(eval("document.querySelector(" + quoted(selector) + ")?.textContent ?? ''"));
    }

    /** Waits until an expression of the page is true. */
    void await(String expression) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!Boolean.TRUE.equals(eval("Boolean(" + expression + ")"))) {
            if (System.nanoTime() > until) {
                throw new AssertionError("never true: " + expression + "; the page says: " + text("body"));
            }
            Thread.sleep(100);
        }
    }

    /** Clicks with the mouse into the middle of an element, or at a place in it. */
    void click(String selector) throws Exception {
        click(selector, 0.5, 0.5);
    }

    void click(String selector, double across, double down) throws Exception {
        String place = point(selector, across, down);
        mouse("mouseMoved", place);
        mouse("mousePressed", place);
        mouse("mouseReleased", place);
    }

    /** Moves the mouse from one place of an element to another, with the button down, in steps. */
    void drag(String selector, double fromX, double fromY, double toX, double toY, int steps) throws Exception {
        mouse("mousePressed", point(selector, fromX, fromY));
        for (int i = 1; i <= steps; i++) {
            double share = (double) i / steps;
            mouse("mouseMoved", point(selector, fromX + share * (toX - fromX), fromY + share * (toY - fromY)));
        }
        mouse("mouseReleased", point(selector, toX, toY));
    }

    private String point(String selector, double across, double down) throws Exception {
        Object place = eval("(() => { const e = document.querySelector(" + quoted(selector)
                + "); e.scrollIntoView({block: 'nearest'}); const b = e.getBoundingClientRect(); return (b.x + b.width * "
                + across
                + ") + ' ' + (b.y + b.height * " + down + "); })()");
        String[] numbers = String.valueOf(place).split(" ");
        return "\"x\":" + numbers[0] + ",\"y\":" + numbers[1];
    }

    private void mouse(String kind, String place) throws Exception {
        String button = kind.equals("mouseMoved") ? ",\"buttons\":1" : ",\"button\":\"left\",\"clickCount\":1";
        call("Input.dispatchMouseEvent", "\"type\":\"" + kind + "\"," + place + button);
    }

    /** Presses a key that is no letter, such as Enter. */
    void key(String key) throws Exception {
        int code =
                Map.of("Enter", 13, "Tab", 9, "ArrowRight", 39, "ArrowDown", 40).getOrDefault(key, 0);
        String what = "\"key\":\"" + key + "\",\"code\":\"" + key + "\",\"windowsVirtualKeyCode\":" + code
                + (key.equals("Enter") ? ",\"text\":\"\\r\"" : "");
        call("Input.dispatchKeyEvent", "\"type\":\"keyDown\"," + what);
        call("Input.dispatchKeyEvent", "\"type\":\"keyUp\"," + what);
    }

    void screenshot(Path file) throws Exception {
        Map<?, ?> shot = call("Page.captureScreenshot", "\"format\":\"png\"");
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, Base64.getDecoder().decode(text(shot, "data")));
    }

    /** What pages complained of: errors of scripts, and what their content policy kept from them. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    @Override
    public void close() {
        socket.abort();
        List<ProcessHandle> all = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }

    /** Puts messages together, and gives each answer to who waits for it. */
    private final class Answers implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            message.append(part);
            if (last) {
                heard(message.toString());
                message.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void heard(String text) {
            Object read =
                    new Load(LoadSettings.builder().setCodePointLimit(1 << 28).build()).loadFromString(text);
            if (!(read instanceof Map<?, ?> said)) {
                return;
            }
            if (said.get("id") instanceof Integer id) {
                CompletableFuture<Map<?, ?>> waits = asked.remove(id);
                if (waits != null) {
                    waits.complete(said);
                }
            } else if ("Runtime.exceptionThrown".equals(said.get("method"))) {
                problems.add(text);
            } else if ("Log.entryAdded".equals(said.get("method")) && text.contains("\"level\":\"error\"")) {
                problems.add(text);
            }
        }
    }
}
