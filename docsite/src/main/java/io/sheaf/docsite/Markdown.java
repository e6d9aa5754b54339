package io.sheaf.docsite;

import java.io.Serial;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.UnaryOperator;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableHead;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Renders a page of Markdown (CommonMark with tables) to HTML.
 *
 * <p>Refuses HTML in a page, code that does not end, table rows of another length than their head, and images without a text.
 */
final class Markdown extends AbstractVisitor {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder()
            .extensions(EXTENSIONS)
            .includeSourceSpans(IncludeSourceSpans.BLOCKS)
            .build();

    private final List<String> lines;
    private final UnaryOperator<String> address;
    private final IdGenerator ids = IdGenerator.builder().build();
    private final IdentityHashMap<Node, String> anchors = new IdentityHashMap<>();
    private final List<DocPage.Heading> headings = new ArrayList<>();
    private final List<String> targets = new ArrayList<>();
    private final List<DocPage.PageSection> sections = new ArrayList<>();
    private final StringBuilder plain = new StringBuilder();
    private int columns;

    private Markdown(String text, UnaryOperator<String> address) {
        lines = text.lines().toList();
        this.address = address;
    }

    static Node parse(String text) {
        return PARSER.parse(text);
    }

    /**
     * Renders a page.
     *
     * @param address converts the target of a link to its address in the HTML
     */
    static DocPage render(String text, UnaryOperator<String> address) {
        Markdown page = new Markdown(text, address);
        Node document = parse(text);
        document.accept(page);
        page.endSection();
        if (page.headings.isEmpty() || page.headings.get(0).level() != 1) {
            throw new MarkdownException("a page begins with its title: # Title");
        }
        return new DocPage(page.renderer().render(document), page.headings, page.targets, page.sections);
    }

    private HtmlRenderer renderer() {
        return HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    String align = attributes.remove("align");
                    if (align != null) {
                        attributes.put("class", align.substring(0, 1));
                    } else if (tag.equals("pre")) {
                        attributes.put("tabindex", "0");
                    } else if (anchors.containsKey(node)) {
                        attributes.put(tag.equals("a") ? "class" : "id", anchors.get(node));
                    }
                })
                .build();
    }

    /** Gives the heading its anchor, which is also a link, and begins a section. */
    @Override
    public void visit(org.commonmark.node.Heading heading) {
        endSection();
        visitChildren(heading);
        String text = plain.toString().strip();
        plain.setLength(0);
        String id = ids.generateId(text);
        headings.add(new DocPage.Heading(heading.getLevel(), text, id));
        anchors.put(heading, id);
        Link link = new Link("#" + id, null);
        for (Node child = heading.getFirstChild(); child != null; child = heading.getFirstChild()) {
            link.appendChild(child);
        }
        heading.appendChild(link);
        anchors.put(link, "anchor");
    }

    private void endSection() {
        String text = plain.toString().strip();
        plain.setLength(0);
        if (!headings.isEmpty()) {
            sections.add(new DocPage.PageSection(headings.get(headings.size() - 1), text));
        } else if (!text.isEmpty()) {
            throw new MarkdownException("text before the title: " + text);
        }
    }

    @Override
    public void visit(Link link) {
        targets.add(link.getDestination());
        link.setDestination(address.apply(link.getDestination()));
        visitChildren(link);
    }

    @Override
    public void visit(Image image) {
        if (image.getFirstChild() == null) {
            throw new MarkdownException("an image without a text that describes it: " + image.getDestination());
        }
        targets.add(image.getDestination());
        image.setDestination(address.apply(image.getDestination()));
        visitChildren(image);
    }

    @Override
    public void visit(HtmlInline html) {
        throw html(html.getLiteral());
    }

    @Override
    public void visit(HtmlBlock html) {
        throw html(html.getLiteral());
    }

    private static MarkdownException html(String literal) {
        return new MarkdownException("HTML is not rendered; put it between backquotes: "
                + literal.substring(0, Math.min(literal.length(), 20)));
    }

    @Override
    public void visit(FencedCodeBlock code) {
        if (code.getClosingFenceLength() == null) {
            throw new MarkdownException("code that begins with ``` and does not end");
        }
        plain.append(code.getLiteral());
    }

    @Override
    public void visit(IndentedCodeBlock code) {
        plain.append(code.getLiteral());
    }

    @Override
    public void visit(Code code) {
        plain.append(code.getLiteral());
    }

    @Override
    public void visit(Text text) {
        if (text.getLiteral().indexOf('`') >= 0) {
            throw new MarkdownException("a backquote without a second one: " + text.getLiteral());
        }
        plain.append(text.getLiteral());
    }

    @Override
    public void visit(SoftLineBreak line) {
        plain.append('\n');
    }

    @Override
    public void visit(HardLineBreak line) {
        plain.append('\n');
    }

    @Override
    public void visit(Paragraph paragraph) {
        visitChildren(paragraph);
        plain.append('\n');
    }

    /** A table is put into a block of its own that can be scrolled. */
    @Override
    public void visit(CustomBlock block) {
        visitChildren(block);
        if (block instanceof TableBlock) {
            block.insertBefore(raw("<div class=\"table\" tabindex=\"0\">"));
            block.insertAfter(raw("</div>"));
        }
    }

    private static HtmlBlock raw(String literal) {
        HtmlBlock html = new HtmlBlock();
        html.setLiteral(literal);
        return html;
    }

    @Override
    public void visit(CustomNode node) {
        if (node instanceof TableRow row) {
            String line = lines.get(row.getSourceSpans().get(0).getLineIndex()).strip();
            // Borders are bars that are not escaped, but for those at the ends.
            int cells = line.replaceAll("^\\||(?<!\\\\)\\|$", "").split("(?<!\\\\)\\|", -1).length;
            columns = row.getParent() instanceof TableHead ? cells : columns;
            if (cells != columns) {
                throw new MarkdownException(
                        "a row of " + cells + " cells in a table of " + columns + " columns: " + line);
            }
        }
        visitChildren(node);
        if (node instanceof TableCell) {
            plain.append(' ');
        }
    }

    /** A page that cannot be rendered. */
    static final class MarkdownException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        MarkdownException(String problem) {
            super(problem);
        }
    }
}
