package io.sheaf.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import io.sheaf.testing.Finished;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the documentation site, built by its command and opened from the disk. */
@Timeout(300)
class DocSiteIT {
    @Test
    void theSearchAndTheThemeSwitchWork(@TempDir Path folder) throws Exception {
        Path site = folder.resolve("site");
        Path root = Path.of("..").toAbsolutePath().normalize();
        Finished built = Finished.run(root, Map.of(), 120, List.of("./package", "site", site.toString()));
        assertThat(built.status()).as(built.err()).isZero();
        try (Chromium browser = Chromium.open();
                Tab tab = browser.tab(1400, 900, ColorScheme.LIGHT)) {
            tab.open(site.resolve("docs/strategies/glume.html").toUri().toString());
            tab.await("document.querySelector('main img').complete");
            assertThat(tab.eval("document.querySelector('main img').naturalWidth"))
                    .isEqualTo(900);
            assertThat(tab.text("nav a[aria-current]")).isEqualTo("glume");
            tab.picture("site-page");

            tab.find("#query").fill("walltime journal");
            tab.await("document.querySelectorAll('#found a').length > 0");
            assertThat(tab.text("#found")).contains("journal");
            tab.key("ArrowDown");
            assertThat(tab.eval("document.activeElement.closest('#found') !== null"))
                    .isEqualTo(true);
            tab.picture("site-search");
            tab.key("Enter");
            tab.await("!location.href.includes('glume') && document.querySelector('main h1')");

            Object light = tab.eval("getComputedStyle(document.body).backgroundColor");
            tab.find("#theme").click();
            assertThat(tab.eval("getComputedStyle(document.body).backgroundColor"))
                    .isNotEqualTo(light);
            tab.picture("site-dark");
            assertThat(tab.problems()).isEmpty();
        }
    }
}
