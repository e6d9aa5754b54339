package io.sheaf.docsite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Tests the HTML of each Markdown construct that the documentation uses. */
class MarkdownTest {
    private static DocPage page(String text) {
        return Markdown.render("# Title\n" + text, target -> "to:" + target);
    }

    /** The HTML below a page's title. */
    private static String body(String text) {
        String html = page(text).html();
        return html.substring(html.indexOf("</h1>\n") + 6).strip();
    }

    @Test
    void paragraphsRenderCodeEmphasisAndEscapes() {
        assertThat(body("a `b < c` **d *e* d** f\\*g\nh & i"))
                .isEqualTo("<p>a <code>b &lt; c</code> <strong>d <em>e</em> d</strong> f*g\nh &amp; i</p>");
        assertThat(body("2 * 3 * 4")).isEqualTo("<p>2 * 3 * 4</p>");
        assertThat(body("**a `*` b**")).isEqualTo("<p><strong>a <code>*</code> b</strong></p>");
        assertThat(body("a < b, n<3")).isEqualTo("<p>a &lt; b, n&lt;3</p>");
    }

    @Test
    void linksAndImagesPointToTheirTargets() {
        DocPage page = page("see [the `x[1]`](a.md#b), ![a *picture*](p.svg) and [none]");
        assertThat(page.html())
                .contains("<a href=\"to:a.md#b\">the <code>x[1]</code></a>")
                .contains("<img src=\"to:p.svg\" alt=\"a picture\" />")
                .contains("and [none]</p>");
        assertThat(page.targets()).containsExactly("a.md#b", "p.svg");
    }

    @Test
    void codeBlocksAreRenderedVerbatim() {
        assertThat(body("```yaml\na: <b>\n\n# no heading\n```"))
                .isEqualTo(
                        "<pre tabindex=\"0\"><code class=\"language-yaml\">a: &lt;b&gt;\n\n# no heading\n</code></pre>");
        assertThat(body("text\n\n    indented  x"))
                .isEqualTo("<p>text</p>\n<pre tabindex=\"0\"><code>indented  x\n</code></pre>");
    }

    @Test
    void listsNestAndItemsSpanLines() {
        assertThat(body("before:\n- a\n  on\n  - b\n  - c\n- d\n\nafter"))
                .isEqualTo(
                        "<p>before:</p>\n<ul>\n<li>a\non\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ul>\n<p>after</p>");
        assertThat(body("1. a\n2. b\n")).isEqualTo("<ol>\n<li>a</li>\n<li>b</li>\n</ol>");
        assertThat(body("- a\n\n  p\n- b"))
                .isEqualTo("<ul>\n<li>\n<p>a</p>\n<p>p</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>");
    }

    @Test
    void tablesAllowBarsInCodeAndAlignColumns() {
        assertThat(body("| a | b |\n|---|--:|\n| `x\\|y` | 1 |\n")).isEqualTo("""
                        <div class="table" tabindex="0">
                        <table>
                        <thead>
                        <tr>
                        <th>a</th>
                        <th class="r">b</th>
                        </tr>
                        </thead>
                        <tbody>
                        <tr>
                        <td><code>x|y</code></td>
                        <td class="r">1</td>
                        </tr>
                        </tbody>
                        </table>
                        </div>""");
        assertThatThrownBy(() -> body("| a | b |\n|---|---|\n| 1 |\n"))
                .isInstanceOf(Markdown.MarkdownException.class)
                .hasMessageContaining("a row of 1 cells in a table of 2 columns");
    }

    @Test
    void headingsHaveTheSameAnchorsAsOnCodeHosts() {
        DocPage page = page("## What `sheaf run` does, and why?\n### A–B\n## Twice\n## Twice");
        assertThat(page.headings())
                .extracting(DocPage.Heading::id)
                .containsExactly("title", "what-sheaf-run-does-and-why", "ab", "twice", "twice-1");
        assertThat(page.title()).isEqualTo("Title");
        assertThat(page.hasAnchor("twice-1")).isTrue();
    }

    @Test
    void sectionsContainTheSearchText() {
        DocPage page = page("one `two`\n## Next\n| a | b |\n|---|---|\n| c | d |\n");
        assertThat(page.sections()).extracting(DocPage.PageSection::text).containsExactly("one two", "a b c d");
    }

    @Test
    void unsupportedMarkdownIsRefused() {
        assertThatThrownBy(() -> body("a <b>c</b>")).isInstanceOf(Markdown.MarkdownException.class);
        assertThatThrownBy(() -> body("a `b")).isInstanceOf(Markdown.MarkdownException.class);
        assertThatThrownBy(() -> body("```\nopen")).isInstanceOf(Markdown.MarkdownException.class);
        assertThatThrownBy(() -> body("```\ncode\n``` text")).hasMessageContaining("does not end");
        assertThatThrownBy(() -> body("![](p.png)")).hasMessageContaining("text that describes it");
        assertThatThrownBy(() -> Markdown.render("text", target -> target))
                .isInstanceOf(Markdown.MarkdownException.class);
        assertThatThrownBy(() -> Markdown.render("## Sub", target -> target))
                .hasMessage("a page begins with its title: # Title");
    }
}
