package io.sheaf.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the dashboard under another host name and port, as through a tunnel of SSH. */
@Timeout(300)
class TunnelIT {
    @Test
    void aRunIsFollowedAndCancelledThroughATunnel(@TempDir Path place) throws Exception {
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1280, 900, ColorScheme.LIGHT);
                ShownRun shown = ShownRun.start(place, ShownRun.bakery(300), "--nodes", "3");
                Tunnel tunnel = Tunnel.to(shown.port())) {
            assertThat(tunnel.port()).isNotEqualTo(shown.port());
            tab.page().onRequest(request -> assertThat(request.url())
                    .as("all requests use the tunnel")
                    .startsWith("http://localhost:" + tunnel.port() + "/"));
            String address = shown.address().replace("127.0.0.1:" + shown.port(), "localhost:" + tunnel.port());
            assertThat(tab.open(address)).isEqualTo(200);
            // The page was opened before these tasks ran: the event stream reports them.
            tab.await("document.querySelector('#progress-legend').textContent.includes('3 running')");
            assertThat(tab.text("#connection")).isEqualTo("live");
            tab.find("#jobs tr").waitFor();
            tab.find("#dag").click();
            tab.await("document.getElementById('log').textContent.includes('is in the oven')");
            tab.await("document.getElementById('estimate').textContent.includes('estimated start')");
            tab.find("#cancel").click();
            tab.find("#confirm-yes").click();
            tab.await("document.querySelector('#run-state').textContent === 'cancelled'");
            assertThat(shown.await()).isEqualTo(1);
            assertThat(tunnel.connections()).isPositive();
            assertThat(tab.problems().stream().filter(problem -> !problem.contains("ERR_")))
                    .isEmpty();
        }
    }
}
