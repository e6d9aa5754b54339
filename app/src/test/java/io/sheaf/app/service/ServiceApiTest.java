package io.sheaf.app.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.app.web.Limits;
import io.sheaf.app.web.Token;
import io.sheaf.app.web.WebServer;
import io.sheaf.runtime.cluster.EmbeddedAccess;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.run.ServiceClient;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.runtime.spec.Service;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The API of a service over a real connection. The service has no live manager, so requests stay in its inbox. */
class ServiceApiTest {
    private static final String WFFORMAT =
            "{\"name\":\"w\",\"schemaVersion\":\"1.5\",\"workflow\":{\"specification\":{\"tasks\":[{\"name\":\"a\",\"id\":\"a\","
                    + "\"parents\":[],\"children\":[]}]},\"execution\":{\"makespanInSeconds\":1,\"executedAt\":\"\",\"tasks\":"
                    + "[{\"id\":\"a\",\"runtimeInSeconds\":1,\"command\":{\"program\":\"true\",\"arguments\":[]}}]}}}";
    private static final String YAML = "name: small\ntasks:\n  a: {run: \"true\", time: 1s}\n";

    private final HttpClient client = HttpClient.newHttpClient();
    private Roster roster = new Roster(
            1_000,
            true,
            List.of(
                    new Roster.RosterEntry("live", "ann", 2, "running", 5, 1, 2, 0, 0, 2_500, -1),
                    new Roster.RosterEntry("gone", "bob", 0, "failed", 3, 1, 0, 1, 1, 3_000, 9_000)));
    private int wakeUps;

    @TempDir
    Path folder = Path.of("");

    private Token token = Token.random();
    private WebServer server = none();

    @SuppressWarnings("NullAway")
    private static WebServer none() {
        return null;
    }

    @BeforeEach
    void start() throws IOException {
        Path state = folder.resolve("service");
        RunSpec spec = new RunSpecBuilder("id", "service", state, "auto")
                .nodes(2, 1)
                .cap(8)
                .keepGoing(true)
                .outputPatience(1_000)
                .build();
        WorkflowRun.serve(state, spec, new Service("fifo", 0, Map.of()), folder.resolve("kit"));
        token = Token.inFile(folder.resolve("token"));
        server = WebServer.start(
                0,
                token,
                new ServiceApi(new ServiceClient(state), () -> roster, new EmbeddedAccess(), () -> wakeUps++).routes(),
                Limits.DEFAULT.bodyBytes(10_000));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .timeout(Duration.ofSeconds(20))
                        .header("Authorization", "Bearer " + token.text())
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private ControlFolder inbox() {
        return new ControlFolder(folder.resolve("service"));
    }

    @Test
    void aWorkflowIsSubmitted() throws Exception {
        for (String body : List.of(YAML, WFFORMAT)) {
            int before = inbox().names().size();
            HttpResponse<String> reply =
                    send("POST", "/api/workflows?owner=ann&priority=3&folder=" + folder.toAbsolutePath(), body);
            assertThat(reply.body()).contains("\"id\":\"", "\"tasks\":1");
            assertThat(reply.statusCode()).isEqualTo(202);
            assertThat(inbox().names().size()).isEqualTo(before + 1);
        }
        assertThat(wakeUps).isEqualTo(2);
    }

    @Test
    void invalidRequestsAreRefusedInOneLine() throws Exception {
        String here = "folder=" + folder.toAbsolutePath();
        String many = "x".repeat(10_001);
        record Case(int status, String path, String body, String message) {}
        for (Case each : List.of(
                new Case(400, "/api/workflows?" + here, "", "body"),
                new Case(400, "/api/workflows?" + here, "name: [", "unknown workflow format"),
                new Case(400, "/api/workflows?" + here, "tasks: {a: {run: 'true', in: no-such.txt}}", "no-such.txt"),
                new Case(400, "/api/workflows?" + here, "tasks: {a: {run: 'true', cores: 9}}", "9 cores"),
                new Case(
                        400,
                        "/api/workflows?" + here,
                        "tasks: {a: {foreach: {i: 1..4000000}, run: 'true'}}",
                        "of memory"),
                new Case(400, "/api/workflows", YAML, "folder"),
                new Case(400, "/api/workflows?folder=relative", YAML, "folder"),
                new Case(400, "/api/workflows?owner=a%20b&" + here, YAML, "owner"),
                new Case(400, "/api/workflows?priority=x&" + here, YAML, "priority"),
                new Case(400, "/api/workflows?priority=5000&" + here, YAML, "priority"),
                new Case(413, "/api/workflows?" + here, many, "error"),
                new Case(404, "/api/workflows/none/pause", "", "'none'"),
                new Case(409, "/api/workflows/gone/cancel", "", "failed"))) {
            HttpResponse<String> reply = send("POST", each.path, each.body);
            assertThat(reply.statusCode()).as(each + " " + reply.body()).isEqualTo(each.status);
            assertThat(reply.body())
                    .as(each.toString())
                    .startsWith("{\"error\": \"")
                    .contains(each.message);
            assertThat(reply.body().lines()).hasSize(1);
        }
        assertThat(inbox().isEmpty()).as("no request is in the inbox").isTrue();
    }

    /** A submission and a request to pause it can be in the inbox at once, because it is read in order. */
    @Test
    void aWorkflowInTheInboxCanBePaused() throws Exception {
        HttpResponse<String> reply = send("POST", "/api/workflows?folder=" + folder.toAbsolutePath(), YAML);
        Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(reply.body());
        assertThat(id.find()).as(reply.body()).isTrue();
        assertThat(send("POST", "/api/workflows/" + id.group(1) + "/pause", "").statusCode())
                .isEqualTo(202);
        assertThat(inbox().names().size()).isEqualTo(2);
    }

    @Test
    void workflowsAreReported() throws Exception {
        assertThat(send("GET", "/api/workflows", "").body())
                .contains("\"open\":true", "\"id\":\"live\"", "\"state\":\"running\"", "\"arrivedSeconds\":1.5")
                .contains("\"id\":\"gone\"", "\"endedSeconds\":8");
        assertThat(send("GET", "/api/workflows/live", "").body())
                .contains("\"priority\":2")
                .doesNotContain("gone");
        assertThat(send("GET", "/api/workflows/nobody", "").statusCode()).isEqualTo(404);
    }

    @Test
    void controlRequestsAreStoredInTheInbox() throws Exception {
        for (String description : List.of("live/pause", "live/resume", "live/cancel")) {
            assertThat(send("POST", "/api/workflows/" + description, "").statusCode())
                    .isEqualTo(202);
        }
        assertThat(send("POST", "/api/drain", "").statusCode()).isEqualTo(202);
        assertThat(inbox().names().size()).isEqualTo(4);
        roster = new Roster(0, false, List.of());
        assertThat(send("POST", "/api/workflows?folder=" + folder, YAML).statusCode())
                .isEqualTo(409);
    }

    private static Object yaml(String text) {
        return new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    private static Map<?, ?> part(Object whole, String... names) {
        Object at = whole;
        for (String name : names) {
            at = at instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return at instanceof Map<?, ?> map ? map : Map.of();
    }

    @Test
    void theApiDescriptionListsExactlyTheServedRoutes() throws Exception {
        Object description = yaml(send("GET", "/api/service/openapi.yaml", "").body());
        List<String> described = new ArrayList<>();
        part(description, "paths").forEach((path, methods) -> {
            for (String method : List.of("get", "post", "put", "delete")) {
                if (part(methods).containsKey(method)) {
                    described.add(method.toUpperCase(Locale.ROOT) + " " + path);
                }
            }
        });
        ServiceApi api = new ServiceApi(
                new ServiceClient(folder.resolve("service")), () -> roster, new EmbeddedAccess(), () -> wakeUps++);
        assertThat(api.routes().list()).containsExactlyInAnyOrderElementsOf(described);
    }

    @Test
    void repliesMatchTheApiDescription() throws Exception {
        Map<?, ?> schemas =
                part(yaml(send("GET", "/api/service/openapi.yaml", "").body()), "components", "schemas");
        String submit = "/api/workflows?folder=" + folder.toAbsolutePath();
        assertDescribed(send("POST", submit, YAML), part(schemas, "Submission"));
        assertDescribed(send("GET", "/api/workflows", ""), part(schemas, "Workflows"));
        for (String id : List.of("live", "gone")) {
            assertDescribed(send("GET", "/api/workflows/" + id, ""), part(schemas, "Workflow"));
        }
        assertDescribed(send("POST", "/api/workflows/live/pause", ""), part(schemas, "ControlRequest"));
        assertDescribed(send("POST", "/api/drain", ""), part(schemas, "ControlRequest"));
    }

    /** All required fields are present, and all fields are described. */
    private static void assertDescribed(HttpResponse<String> reply, Map<?, ?> schema) {
        Map<?, ?> value = part(yaml(reply.body()));
        Map<?, ?> properties = part(schema, "properties");
        assertThat(properties.keySet().containsAll(value.keySet()))
                .as(reply.body())
                .isTrue();
        assertThat(schema.get("required") instanceof List<?> required
                        && value.keySet().containsAll(required))
                .as(reply.body())
                .isTrue();
        value.forEach((name, field) -> {
            if (part(properties, String.valueOf(name)).get("enum") instanceof List<?> words) {
                assertThat(words.contains(field)).as(reply.body()).isTrue();
            }
        });
    }

    @Test
    void aTokenIsRequired() throws Exception {
        HttpResponse<String> reply = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/api/workflows"))
                        .POST(HttpRequest.BodyPublishers.ofString(YAML))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(reply.statusCode()).isEqualTo(401);
        assertThat(inbox().isEmpty()).isTrue();
    }

    @Test
    void aFolderWithoutAServiceIsRefused() {
        assertThatThrownBy(() -> new ServiceClient(folder))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("sheaf serve");
    }
}
