package io.sheaf.docsite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the documentation site with a small site, with broken sites and with Sheaf's own. */
class DocSiteTest {
    private static final Path REPOSITORY = Path.of("..");

    @TempDir
    Path root;

    @BeforeEach
    void writeASiteOfThreePages() throws IOException {
        write("README.md", "# Top\nGo [on](docs/README.md), ![a picture](docs/p.svg)");
        write("docs/README.md", "# All\nSee [text](../LICENSE).\n## Some\n- [A](sub/a.md)\n");
        write("docs/sub/a.md", "# A page\n## Second part\nBack to [all](../README.md#some), [here](#second-part).");
        write("docs/p.svg", "<svg/>");
        write("LICENSE", "free");
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Writes a site and returns the text of its files by path. */
    private static Map<String, String> writtenFiles(DocSite site, Path folder) throws IOException {
        site.write(folder);
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(
                        folder.relativize(file).toString().replace('\\', '/'),
                        new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    @Test
    void pagesLinkToPagesAndFilesAreCopied(@TempDir Path out) throws IOException {
        DocSite site = DocSite.read(root);
        assertThat(site.problems()).isEmpty();
        Map<String, String> files = writtenFiles(site, out);
        assertThat(files)
                .containsOnlyKeys(
                        "LICENSE",
                        "docs/index.html",
                        "docs/p.svg",
                        "docs/sub/a.html",
                        "index.html",
                        "site/pages.js",
                        "site/site.css",
                        "site/site.js");
        assertThat(files.get("index.html"))
                .contains("<title>Top · Sheaf</title>")
                .contains("<a href=\"docs/index.html\">on</a>")
                .contains("<img src=\"docs/p.svg\"");
        assertThat(files.get("docs/sub/a.html"))
                .contains("href=\"../../site/site.css\"")
                .contains("<a href=\"../index.html#some\">all</a>")
                .contains("<a href=\"#second-part\">here</a>")
                .contains("<a href=\"a.html\" aria-current=\"page\">A</a>");
        assertThat(files.get("site/pages.js"))
                .contains("[\"docs/sub/a.html\",\"A page\"")
                .contains("[\"second-part\",\"Second part\",\"Back to all, here.\"]");
        assertThat(files.values())
                .as("no page loads a resource from another host")
                .noneMatch(text -> text.matches("(?s).*(src|href)=\"(https?:)?//.*"));
    }

    @Test
    void brokenLinksAndPagesAreReported() throws IOException {
        write(
                "docs/sub/a.md",
                "# A\n[gone](b.md) [no part](../README.md#other) [out](../../../x) [folder](../) ![x](../p.svg) [none](../sub)");
        write("docs/lonely.md", "# Lonely");
        write("docs/odd.md", "# Odd\n<b>");
        assertThat(DocSite.read(root).problems())
                .containsExactlyInAnyOrder(
                        "docs/odd.md: HTML is not rendered; put it between backquotes: <b>",
                        "docs/sub/a.md: the link to b.md is broken: there is no docs/sub/b.md",
                        "docs/sub/a.md: the link to ../README.md#other is broken: docs/README.md has no heading for #other",
                        "docs/sub/a.md: the link to ../../../x is broken: it leads out of the repository",
                        "docs/sub/a.md: the link to ../sub is broken: the folder has no README.md",
                        "docs/lonely.md: no link leads to it from README.md");
    }

    @Test
    void sheafsOwnSiteIsCompleteAndReproducible(@TempDir Path first, @TempDir Path second) throws IOException {
        DocSite site = DocSite.read(REPOSITORY);
        assertThat(site.problems()).isEmpty();
        assertThat(site.pages()).containsKeys("README.md", "docs/README.md", "docs/reference/strategies.md");
        assertThat(writtenFiles(site, first)).isEqualTo(writtenFiles(DocSite.read(REPOSITORY), second));
    }
}
