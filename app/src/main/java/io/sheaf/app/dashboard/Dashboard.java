package io.sheaf.app.dashboard;

import io.sheaf.app.page.Page;
import io.sheaf.app.web.Limits;
import io.sheaf.app.web.Reply;
import io.sheaf.app.web.Routes;
import io.sheaf.app.web.Token;
import io.sheaf.app.web.WebServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The web pages and API of a folder of runs or a single run. */
public final class Dashboard {
    private static final String HTML = "text/html; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";

    /** Resources of the page in loading order, shared with other pages. */
    private static final List<String> SHARED =
            List.of("page.css", "run-view.css", "timeline.js", "steps.js", "gantt.js", "run-view.js");

    private static final List<String> OWN =
            List.of("dashboard.css", "icon.svg", "api.js", "dag.js", "queue.js", "lab.js", "run.js", "dashboard.js");

    private Dashboard() {}

    /** The address of the page of a run, with the server's token. */
    public static String address(WebServer server, Path run) {
        String id = URLEncoder.encode(String.valueOf(run.getFileName()), StandardCharsets.UTF_8)
                .replace("+", "%20");
        return server.addressWithToken() + "#/run/" + id;
    }

    /**
     * All routes.
     *
     * @param lab the folder of experiments' result tables
     */
    public static Routes routes(RunFolders folders, Path lab) {
        LiveRuns runs = new LiveRuns(folders);
        String page = Page.resource(Dashboard.class, "dashboard.html")
                .replace("{{gantt}}", Page.resource(Page.class, "run-view.html"));
        Routes routes = new Routes()
                .on("GET", "/", request -> Reply.of(HTML, page))
                .on("GET", "/api/openapi.yaml", request -> Reply.text(Page.resource(Dashboard.class, "openapi.yaml")));
        SHARED.forEach(file -> asset(routes, Page.class, file));
        OWN.forEach(file -> asset(routes, Dashboard.class, file));
        return routes.with(new RunsApi(runs).routes())
                .with(new QueueApi(runs).routes())
                .with(new LabApi(lab).routes());
    }

    private static void asset(Routes routes, Class<?> owner, String file) {
        String type = Map.of("js", SCRIPT, "css", STYLE, "svg", "image/svg+xml")
                .getOrDefault(file.substring(file.lastIndexOf('.') + 1), "text/plain");
        String text = Page.resource(owner, file);
        routes.on("GET", "/assets/" + file, request -> Reply.of(type, text));
    }

    /**
     * Opens the dashboard on the loopback address.
     *
     * @param port 0 for any free port
     */
    public static WebServer open(RunFolders folders, Path lab, int port, Token token) throws IOException {
        return WebServer.start(port, token, routes(folders, lab), Limits.DEFAULT);
    }
}
