package io.sheaf.browser;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.options.ColorScheme;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Debian's Chromium without a window, driven by Playwright. */
final class Chromium implements AutoCloseable {
    private static final double PATIENCE_MILLIS = 60_000;

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /**
     * Starts Chromium and installs it if it is missing. Skips the test if the browser or the driver is not available.
     */
    static Chromium open() throws IOException, InterruptedException {
        Path root = Path.of("..").toAbsolutePath().normalize();
        Finished found = Finished.run(
                root, Map.of(), 600, List.of(root.resolve("tools/chromium/find").toString()));
        assumeTrue(found.status() == 0, "skipped: " + found.err().strip());
        Playwright playwright = driver();
        Browser browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(Path.of(found.out().strip()))
                        .setArgs(List.of("--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"))
                        .setTimeout(PATIENCE_MILLIS));
        return new Chromium(playwright, browser);
    }

    private static Playwright driver() {
        try {
            // Debian's Chromium is used, so Playwright must not download a browser.
            return Playwright.create(
                    new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        } catch (PlaywrightException e) {
            return abort("skipped: Playwright has no driver for this machine: " + e.getMessage());
        }
    }

    /** Opens a page with separate cookies. */
    Tab tab(int width, int height, ColorScheme colours) {
        BrowserContext context = browser.newContext(
                new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(colours));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        return new Tab(context);
    }

    /** CPU time of all browser processes so far, in milliseconds; it does not depend on other work on the machine. */
    double processorMillis() {
        CDPSession session = browser.newBrowserCDPSession();
        try {
            JsonObject answer = session.send("SystemInfo.getProcessInfo");
            double seconds = 0;
            for (JsonElement process : answer.getAsJsonArray("processInfo")) {
                seconds += process.getAsJsonObject().get("cpuTime").getAsDouble();
            }
            return 1000 * seconds;
        } finally {
            session.detach();
        }
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
