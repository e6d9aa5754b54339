package io.sheaf.app.run;

import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.Session;
import io.sheaf.app.dashboard.Dashboard;
import io.sheaf.app.dashboard.RunFolders;
import io.sheaf.app.web.Token;
import io.sheaf.app.web.WebServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the dashboard of a run. */
@HelpHeading(HelpHeading.PROGRESS)
final class DashboardOptions {
    /** Time for open pages to read the final state. */
    private static final Duration FINAL_READ = Duration.ofSeconds(3);

    private static final String TOKEN = "dashboard-token";

    @Option(
            names = "--dashboard",
            negatable = true,
            fallbackValue = "true",
            description = "Serve a web dashboard during the run; prints its address with an access token.")
    boolean dashboard;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description =
                    "Port of the dashboard on the loopback address; 0 for any free port (default: ${DEFAULT-VALUE}).")
    int port;

    /** Work to perform while the dashboard is open. */
    @FunctionalInterface
    interface DashboardWork {
        int run() throws IOException, InterruptedException;
    }

    /** Performs the work, with a dashboard of the run's folder if requested. */
    int during(Path folder, Session session, DashboardWork work) throws IOException, InterruptedException {
        WebServer server = open(folder, session);
        try {
            return work.run();
        } finally {
            if (server != null) {
                server.finish(FINAL_READ);
            }
        }
    }

    private @Nullable WebServer open(Path folder, Session session) throws IOException {
        if (!dashboard) {
            return null;
        }
        Path lab = session.folder().toAbsolutePath();
        WebServer server = Dashboard.open(RunFolders.single(folder), lab, port, Token.inFile(folder.resolve(TOKEN)));
        session.note("dashboard " + Dashboard.address(server, folder));
        return server;
    }
}
