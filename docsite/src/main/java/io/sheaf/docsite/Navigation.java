package io.sheaf.docsite;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BulletList;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;

/**
 * The list of pages beside each page: the table of contents in {@code docs/README.md}, a group for each of its headings, an entry for each link in
 * its lists.
 */
record Navigation(List<Group> groups) {
    /** Pages under a common heading. */
    record Group(String heading, List<PageLink> entries) {}

    /** A page; its path is that of its source in the repository. */
    record PageLink(String title, String path) {}

    /** Reads the table of contents, which is the page of a path. */
    static Navigation of(String contents, String path) {
        List<Group> groups = new ArrayList<>();
        for (Node block = Markdown.parse(contents).getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof Heading heading && heading.getLevel() == 2) {
                groups.add(new Group(text(heading), new ArrayList<>()));
            } else if (block instanceof BulletList && !groups.isEmpty()) {
                List<PageLink> entries = groups.get(groups.size() - 1).entries();
                links(block)
                        .forEach(link -> entries.add(new PageLink(
                                text(link), PageLinks.resolve(path, PageLinks.file(link.getDestination())))));
            }
        }
        return new Navigation(groups);
    }

    private static List<Link> links(Node list) {
        List<Link> links = new ArrayList<>();
        list.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                links.add(link);
            }
        });
        return links;
    }

    private static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
                text.append(part.getLiteral());
            }
        });
        return text.toString();
    }

    /** The list as it stands on the page of a path. */
    String html(String path) {
        StringBuilder out = new StringBuilder();
        for (Group group : groups) {
            boolean current =
                    group.entries().stream().anyMatch(entry -> entry.path().equals(path));
            out.append("<details").append(current ? " open" : "").append("><summary>");
            out.append(DocPage.escape(group.heading())).append("</summary><ul>\n");
            for (PageLink entry : group.entries()) {
                String href = DocPage.escape(PageLinks.relative(path, PageLinks.published(entry.path())));
                String here = entry.path().equals(path) ? "\" aria-current=\"page\">" : "\">";
                out.append("<li><a href=\"" + href + here + DocPage.escape(entry.title()) + "</a></li>\n");
            }
            out.append("</ul></details>\n");
        }
        return out.toString();
    }
}
