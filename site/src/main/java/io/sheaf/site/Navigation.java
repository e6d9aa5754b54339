package io.sheaf.site;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The list of pages at the side of each: the table of contents in {@code docs/README.md}, a group for each of its headings, an entry for each link in
 * the first column of its tables.
 */
record Navigation(List<Group> groups) {
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]+)\\]\\(([^)#]+)\\)");
    private static final String GROUP = "## ";

    /** Pages under a common heading. */
    record Group(String heading, List<Entry> entries) {}

    /** A page; its path is that of its source in the repository. */
    record Entry(String title, String path) {}

    /** Reads the table of contents that lies at a path. */
    static Navigation of(String contents, String path) {
        List<Group> groups = new ArrayList<>();
        for (String line : contents.lines().toList()) {
            if (line.startsWith(GROUP)) {
                groups.add(new Group(line.substring(GROUP.length()).strip(), new ArrayList<>()));
            } else if (line.startsWith("|") && !groups.isEmpty()) {
                Matcher link = LINK.matcher(Markdown.cells(line).get(0));
                while (link.find()) {
                    String target = Links.resolve(path, link.group(2));
                    groups.get(groups.size() - 1)
                            .entries()
                            .add(new Entry(link.group(1).replace("`", ""), target));
                }
            }
        }
        return new Navigation(groups);
    }

    /** The list as it stands on the page of a path. */
    String html(String path) {
        StringBuilder out = new StringBuilder();
        for (Group group : groups) {
            boolean here =
                    group.entries().stream().anyMatch(entry -> entry.path().equals(path));
            out.append("<details").append(here ? " open" : "").append("><summary>");
            out.append(Inline.escape(group.heading())).append("</summary><ul>\n");
            for (Entry entry : group.entries()) {
                out.append("<li><a href=\"")
                        .append(Inline.escape(Links.relative(path, Links.published(entry.path()))))
                        .append(entry.path().equals(path) ? "\" aria-current=\"page\">" : "\">")
                        .append(Inline.escape(entry.title()))
                        .append("</a></li>\n");
            }
            out.append("</ul></details>\n");
        }
        return out.toString();
    }
}
