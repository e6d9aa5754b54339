package io.sheaf.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Finished;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The documentation as a site, made by its command and opened from the disk in a real browser. Pictures of it are kept in {@code target/site-pictures}. */
@Tag("slow")
@Timeout(300)
class SiteIT {
    private static final Path PICTURES = Path.of("target/site-pictures").toAbsolutePath();

    @Test
    void itIsSearchedInLightAndDark(@TempDir Path folder) throws Exception {
        Path site = folder.resolve("site");
        Path root = Path.of("..").toAbsolutePath().normalize();
        Finished made = Finished.run(root, Map.of(), 120, List.of("./package", "site", site.toString()));
        assertThat(made.status()).as(made.err()).isZero();
        try (Chromium browser = Chromium.find(folder.resolve("profile"), 1400, 900)) {
            browser.dark(false);
            browser.open(site.resolve("docs/strategies/glume.html").toUri().toString());
            browser.await("document.querySelector('main img')?.complete");
            assertThat(browser.eval("document.querySelector('main img').naturalWidth"))
                    .isEqualTo(900);
            assertThat(browser.text("nav a[aria-current]")).isEqualTo("glume");
            browser.screenshot(PICTURES.resolve("page.png"));

            browser.eval("(() => { const q = document.getElementById('query'); q.focus(); q.value = 'walltime journal';"
                    + " q.dispatchEvent(new Event('input')); })()");
            browser.await("document.querySelectorAll('#found a').length > 0");
            assertThat(browser.text("#found")).contains("journal");
            browser.key("ArrowDown");
            assertThat(browser.eval("document.activeElement.closest('#found') !== null"))
                    .isEqualTo(true);
            browser.screenshot(PICTURES.resolve("search.png"));
            browser.eval("document.querySelector('#found a').click()");
            browser.await("!location.href.includes('glume') && document.querySelector('main h1')");

            String light = String.valueOf(browser.eval("getComputedStyle(document.body).backgroundColor"));
            browser.click("#theme");
            assertThat(browser.eval("getComputedStyle(document.body).backgroundColor"))
                    .isNotEqualTo(light);
            browser.screenshot(PICTURES.resolve("dark.png"));
            assertThat(browser.problems()).isEmpty();
        }
    }
}
