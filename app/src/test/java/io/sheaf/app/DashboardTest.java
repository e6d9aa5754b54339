package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.dashboard.Dashboard;
import io.sheaf.app.dashboard.RunFolders;
import io.sheaf.app.page.Page;
import io.sheaf.app.web.Token;
import io.sheaf.app.web.WebServer;
import io.sheaf.testing.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The dashboard's API for recorded runs, and its description. */
@Timeout(1200)
class DashboardTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    Path folder = Path.of("");

    private final Token token = Token.random();
    private final List<AutoCloseable> open = new ArrayList<>();
    private int port;

    @BeforeEach
    void serve() throws IOException {
        WebServer server = Dashboard.open(RunFolders.in(folder.resolve("runs")), folder.resolve("lab"), 0, token);
        open.add(server);
        port = server.port();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private RecordedFolder recordedRun(String name) throws IOException {
        RecordedFolder made =
                new RecordedFolder(folder.resolve("runs").resolve(name), "onejob", RecordedFolder.DIAMOND);
        open.add(made);
        return made;
    }

    private HttpResponse<InputStream> send(String method, String path) throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .header("Authorization", "Bearer " + token.text())
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
    }

    private String text(int status, String method, String path) throws IOException, InterruptedException {
        HttpResponse<InputStream> reply = send(method, path);
        String body = new String(reply.body().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(reply.statusCode()).as(path + ": " + body).isEqualTo(status);
        return body;
    }

    private String get(String path) throws IOException, InterruptedException {
        return text(200, "GET", path);
    }

    /** Waits for a change: after a long read, the server does not read a run again at once. */
    private void await(String path, String text) throws IOException, InterruptedException {
        Await.until(path + " contains " + text, () -> get(path).contains(text));
    }

    private static Map<?, ?> yaml(String text) {
        Object read = new Load(LoadSettings.builder().build()).loadFromString(text);
        return read instanceof Map<?, ?> map ? map : Map.of();
    }

    private static Map<?, ?> part(Map<?, ?> of, Object name) {
        return of.get(name) instanceof Map<?, ?> map ? map : Map.of();
    }

    private Map<?, ?> json(String path) throws IOException, InterruptedException {
        return yaml(get(path));
    }

    @Test
    void statusTasksJobsAndDecisionsAreServed() throws Exception {
        recordedRun("done").deliverAll();
        assertThat(get("/api/runs"))
                .contains("\"id\":\"done\",\"workflow\":\"diamond\",\"strategy\":\"onejob\",\"state\":\"done\"")
                .contains("\"tasks\":4,\"done\":4,\"running\":0,\"failed\":0");
        assertThat(get("/api/runs/done"))
                .contains("\"state\":\"done\"")
                .contains("\"states\":\"dddd\"")
                .contains("\"makespanSeconds\":100,")
                .contains("\"waitSeconds\":10,");
        assertThat(get("/api/runs/done/tasks"))
                .contains("{\"id\":\"d\",\"category\":\"d\",\"level\":2,\"state\":\"done\",\"attempts\":1,"
                        + "\"expectedSeconds\":30,\"job\":1,\"startSeconds\":70,\"ranSeconds\":30,\"parents\":[1,2]}");
        assertThat(get("/api/runs/done/jobs"))
                .contains("\"job\":1,\"tasks\":\"levels 0-2\",\"nodes\":2,")
                .contains("\"submittedSeconds\":0,\"expectedStartSeconds\":20,\"startSeconds\":10,\"endSeconds\":101,"
                        + "\"ended\":\"done\"");
        assertThat(get("/api/runs/done/decisions")).contains("\"order\":\"submit\",\"job\":1");
        assertThat(get("/api/runs/done/chart")).contains("id=\"r1-attempts\" data-count=\"4\"");
    }

    @Test
    void changesOfALiveRunAreServed() throws Exception {
        RecordedFolder run = recordedRun("live");
        assertThat(get("/api/runs/live"))
                .contains("\"state\":\"interrupted\"")
                .contains("\"states\":\"ywww\"")
                .as("the run is not a service, so the page requests no list of workflows")
                .contains("\"workflows\":0");
        // The task is accepted and started.
        run.deliver(2);
        await("/api/runs/live", "\"states\":\"rwww\"");
        run.deliver(1);
        await("/api/runs/live", "\"states\":\"drrw\"");
        run.deliverAll();
        await("/api/runs/live", "\"state\":\"done\"");
        assertThat(get("/api/runs")).contains("\"state\":\"done\"");
    }

    @Test
    void changesArePushedAsEvents() throws Exception {
        RecordedFolder run = recordedRun("live");
        try (InputStream events = send("GET", "/api/runs/live/events").body()) {
            assertThat(event(events)).startsWith("event: run").contains("\"states\":\"ywww\"");
            run.deliver(2);
            assertThat(event(events)).contains("\"states\":\"rwww\"");
        }
        try (InputStream events = send("GET", "/api/events").body()) {
            assertThat(event(events)).startsWith("event: runs").contains("\"id\":\"live\"");
            recordedRun("another");
            assertThat(event(events)).contains("\"id\":\"another\"").contains("\"id\":\"live\"");
        }
    }

    private static String event(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\n\n") < 0) {
            text.append((char) in.read());
        }
        return text.toString();
    }

    @Test
    void taskOutputIsServed() throws Exception {
        recordedRun("done").deliverAll();
        Path logs = Files.createDirectories(folder.resolve("runs/done/logs"));
        assertThat(get("/api/runs/done/log/a")).isEmpty();
        Files.writeString(logs.resolve("a.0.out"), "first");
        Files.writeString(logs.resolve("a.1.out"), "second");
        Files.writeString(logs.resolve("a.1.err"), "trouble <b>");
        assertThat(get("/api/runs/done/log/a")).isEqualTo("second");
        assertThat(get("/api/runs/done/log/a?attempt=0")).isEqualTo("first");
        assertThat(get("/api/runs/done/log/a?stream=err")).isEqualTo("trouble <b>");
        Files.writeString(logs.resolve("b.1.out"), "x".repeat(100_000) + "end");
        assertThat(get("/api/runs/done/log/b"))
                .hasSizeLessThan(70_000)
                .startsWith("… the last 64 KiB")
                .endsWith("xend");
        assertThat(text(404, "GET", "/api/runs/done/log/nobody")).contains("no such task: 'nobody'");
        assertThat(text(404, "GET", "/api/runs/done/log/..%2F..%2Frun.json")).contains("\"error\"");
        assertThat(text(400, "GET", "/api/runs/done/log/a?stream=both")).contains("use out or err");
    }

    @Test
    void namesOutsideTheServedFoldersAreNotFound() throws Exception {
        recordedRun("done").deliverAll();
        Files.createDirectories(folder.resolve("lab"));
        Files.writeString(folder.resolve("secret.csv"), "a\n1\n");
        for (String path :
                List.of("..%2Fruns%2Fdone", "..", "%2E%2E", "%2Fetc", "done%2F", ".", "done%00", "nothing")) {
            text(404, "GET", "/api/runs/" + path);
        }
        for (String path : List.of("..%2Fsecret.csv", "%2Fetc%2Fpasswd", "secret.csv")) {
            text(404, "GET", "/api/lab/" + path);
        }
    }

    @Test
    void cancelIsAcceptedAndResumeNeedsAManager() throws Exception {
        RecordedFolder run = recordedRun("live");
        assertThat(text(409, "POST", "/api/runs/live/resume")).contains("no manager is running");
        assertThat(text(202, "POST", "/api/runs/live/cancel"))
                .contains("\"asked\":\"cancel\"")
                .contains("sheaf cancel");
        assertThat(folder.resolve("runs/live/requests/cancel")).exists();
        run.deliverAll();
        await("/api/runs/live", "\"state\":\"done\"");
        assertThat(text(409, "POST", "/api/runs/live/cancel")).contains("already ended: done");
        assertThat(text(405, "GET", "/api/runs/live/cancel")).contains("POST");
    }

    @Test
    void startTimesAreEstimated() throws Exception {
        recordedRun("live");
        // Two idle nodes: the cluster has no log yet.
        assertThat(json("/api/queue?run=live&nodes=2&seconds=60").get("estimate"))
                .isEqualTo(Map.of("nodes", 2, "seconds", 60, "state", "known", "waitSeconds", 0));
        assertThat(get("/api/queue?run=live&nodes=3&seconds=60")).contains("\"state\":\"never\"");
        assertThat(text(400, "GET", "/api/queue")).contains("give the id of a run");
        assertThat(text(400, "GET", "/api/queue?run=live&nodes=0")).contains("from 1 to");
    }

    @Test
    void labTablesAreServed() throws Exception {
        assertThat(json("/api/lab").get("tables")).isEqualTo(List.of());
        Path runs = Files.createDirectories(folder.resolve("lab/one")).resolve("runs.csv");
        Files.writeString(runs, "run,strategy,failure\n1,glume,\"no, \"\"never\"\"\"\n2,zhang,\n");
        assertThat(json("/api/lab").get("tables")).isEqualTo(List.of(Map.of("name", "one/runs.csv", "bytes", 54)));
        Map<?, ?> table = json("/api/lab/one%2Fruns.csv");
        assertThat(table.get("columns")).isEqualTo(List.of("run", "strategy", "failure"));
        assertThat(table.get("rows"))
                .isEqualTo(List.of(List.of("1", "glume", "no, \"never\""), List.of("2", "zhang", "")));
    }

    @Test
    void theApiDescriptionListsExactlyTheServedRoutes() throws Exception {
        List<String> described = new ArrayList<>();
        part(json("/api/openapi.yaml"), "paths").forEach((path, methods) -> {
            for (String method : List.of("get", "post", "put", "delete")) {
                if (methods instanceof Map<?, ?> map && map.containsKey(method)) {
                    described.add(method.toUpperCase(Locale.ROOT) + " " + path);
                }
            }
        });
        assertThat(Dashboard.routes(RunFolders.in(folder), folder).list().stream()
                        .filter(route -> route.contains(" /api")))
                .containsExactlyInAnyOrderElementsOf(described);
    }

    @Test
    void repliesMatchTheApiDescription() throws Exception {
        recordedRun("done").deliverAll();
        Files.writeString(Files.createDirectories(folder.resolve("lab")).resolve("t.csv"), "a\n1\n");
        Map<?, ?> schemas = part(part(json("/api/openapi.yaml"), "components"), "schemas");
        Map<String, String> paths = new TreeMap<>(Map.of(
                "Runs", "/api/runs",
                "Status", "/api/runs/done",
                "Tasks", "/api/runs/done/tasks",
                "Jobs", "/api/runs/done/jobs",
                "Decisions", "/api/runs/done/decisions",
                "Queue", "/api/queue?run=done&nodes=1&seconds=1",
                "Tables", "/api/lab",
                "Table", "/api/lab/t.csv"));
        for (Map.Entry<String, String> each : paths.entrySet()) {
            assertMatches(json(each.getValue()), part(schemas, each.getKey()), each.getKey());
        }
    }

    /** All required fields are present, and all fields are described. */
    private static void assertMatches(@Nullable Object value, Map<?, ?> schema, String where) {
        if (value instanceof List<?> list && schema.get("items") instanceof Map<?, ?> items) {
            list.forEach(item -> assertMatches(item, items, where));
        } else if (value instanceof Map<?, ?> map && schema.get("properties") instanceof Map<?, ?> properties) {
            assertThat(properties.keySet().containsAll(map.keySet()))
                    .as(where + map.keySet())
                    .isTrue();
            if (schema.get("required") instanceof List<?> required) {
                assertThat(map.keySet().containsAll(required))
                        .as(where + map.keySet())
                        .isTrue();
            }
            map.forEach((name, part) -> assertMatches(part, part(properties, name), where + "." + name));
        } else if (schema.get("enum") instanceof List<?> words) {
            assertThat(words.contains(value)).as(where + " " + value).isTrue();
        }
    }

    @Test
    void thePageLoadsOnlyServedFiles() throws Exception {
        String page = get("/");
        assertThat(page)
                .doesNotContain("http://")
                .doesNotContain("https://")
                .doesNotContain("<style")
                .doesNotContain("{{");
        Matcher loaded = Pattern.compile("(?:src|href)=\"(/[^\"]*)\"").matcher(page);
        int count = 0;
        while (loaded.find()) {
            assertThat(get(loaded.group(1))).as(loaded.group(1)).isNotEmpty();
            count++;
        }
        assertThat(count).isGreaterThan(10);
        assertThat(Page.resource(Dashboard.class, "run.js")).doesNotContain("http:");
    }
}
