package io.sheaf.site;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page of Markdown as HTML: the part of it that Sheaf's documentation uses.
 *
 * <p>That is headings, paragraphs, fenced and indented code, lists in lists, tables, quotations, and what {@link Inline} knows. HTML in a page is refused
 * rather than shown in another way than elsewhere.
 */
final class Markdown {
    private static final Pattern HEADING = Pattern.compile("(#{1,6}) +(.*?) *#*");
    private static final Pattern ITEM = Pattern.compile("( *)([-*+]|[0-9]+\\.)( +)(.*)");
    private static final Pattern RULED = Pattern.compile("\\|?( *:?-+:? *\\|)+( *:?-+:? *)?");
    private static final String FENCE = "```";
    private static final String INDENT = "    ";
    private static final String QUOTE = ">";

    private final Inline inline;
    private final Anchors anchors = new Anchors();
    private final List<Heading> headings = new ArrayList<>();
    private final List<Rendered.Section> sections = new ArrayList<>();

    private Markdown(UnaryOperator<String> address) {
        inline = new Inline(address);
    }

    /**
     * Renders a page.
     *
     * @param address makes of a link's target what stands in the HTML
     */
    static Rendered render(String text, UnaryOperator<String> address) {
        Markdown page = new Markdown(address);
        StringBuilder html = new StringBuilder();
        page.blocks(text.lines().toList(), html);
        page.section();
        if (page.headings.isEmpty() || page.headings.get(0).level() != 1) {
            throw new MarkdownException("a page begins with its title: # Title");
        }
        return new Rendered(html.toString(), page.headings, page.inline.targets(), page.sections);
    }

    private void blocks(List<String> lines, StringBuilder out) {
        int at = 0;
        while (at < lines.size()) {
            at = lines.get(at).isBlank() ? at + 1 : block(lines, at, out);
        }
    }

    /** Renders the block that begins at a line; returns the line behind it. */
    private int block(List<String> lines, int at, StringBuilder out) {
        String line = lines.get(at);
        if (line.startsWith(FENCE)) {
            return fenced(lines, at, out);
        }
        if (line.startsWith(INDENT)) {
            return indented(lines, at, out);
        }
        if (HEADING.matcher(line).matches()) {
            heading(line, out);
            return at + 1;
        }
        if (ITEM.matcher(line).matches()) {
            return list(lines, at, out);
        }
        if (isTable(lines, at)) {
            return table(lines, at, out);
        }
        if (line.startsWith(QUOTE)) {
            return quotation(lines, at, out);
        }
        return paragraph(lines, at, out);
    }

    private void heading(String line, StringBuilder out) {
        Matcher heading = HEADING.matcher(line);
        if (!heading.matches()) {
            throw new IllegalArgumentException(line);
        }
        section();
        int level = heading.group(1).length();
        String html = inline.html(heading.group(2));
        String text = inline.takePlain();
        String id = anchors.of(text);
        headings.add(new Heading(level, text, id));
        out.append("<h" + level + " id=\"" + id + "\"><a class=\"anchor\" href=\"#" + id + "\">" + html + "</a></h"
                + level + ">\n");
    }

    /** What was written since the last heading is its section. */
    private void section() {
        String text = inline.takePlain().strip();
        if (!headings.isEmpty()) {
            sections.add(new Rendered.Section(headings.get(headings.size() - 1), text));
        } else if (!text.isEmpty()) {
            throw new MarkdownException("there is text before the title: " + text);
        }
    }

    private int fenced(List<String> lines, int at, StringBuilder out) {
        int end = at + 1;
        while (end < lines.size() && !lines.get(end).startsWith(FENCE)) {
            end++;
        }
        if (end == lines.size()) {
            throw new MarkdownException("code that begins with ``` and does not end");
        }
        if (!lines.get(end).strip().equals(FENCE)) {
            throw new MarkdownException("text behind the end of code: " + lines.get(end));
        }
        code(lines.subList(at + 1, end), out);
        return end + 1;
    }

    private int indented(List<String> lines, int at, StringBuilder out) {
        int end = at;
        List<String> code = new ArrayList<>();
        while (end < lines.size() && lines.get(end).startsWith(INDENT)) {
            code.add(lines.get(end++).substring(INDENT.length()));
        }
        code(code, out);
        return end;
    }

    private void code(List<String> lines, StringBuilder out) {
        String text = String.join("\n", lines);
        inline.addPlain(text + "\n");
        out.append("<pre tabindex=\"0\"><code>").append(Inline.escape(text)).append("\n</code></pre>\n");
    }

    private int list(List<String> lines, int from, StringBuilder out) {
        Matcher first = item(lines.get(from));
        boolean numbered = Character.isDigit(first.group(2).charAt(0));
        int margin = first.group(1).length();
        out.append(numbered ? "<ol>\n" : "<ul>\n");
        int at = from;
        while (at < lines.size()) {
            Matcher next = ITEM.matcher(lines.get(at));
            if (!next.matches() || next.group(1).length() != margin) {
                break;
            }
            at = item(lines, at, out);
            int after = at;
            while (after < lines.size() && lines.get(after).isBlank()) {
                after++;
            }
            boolean goesOn = after < lines.size()
                    && ITEM.matcher(lines.get(after)).matches()
                    && Character.isDigit(lines.get(after).strip().charAt(0)) == numbered;
            at = goesOn ? after : at;
        }
        out.append(numbered ? "</ol>\n" : "</ul>\n");
        return at;
    }

    private static Matcher item(String line) {
        Matcher item = ITEM.matcher(line);
        if (!item.matches()) {
            throw new IllegalArgumentException(line);
        }
        return item;
    }

    /** An item is its first line and what is indented behind it, or goes on without a blank line. */
    private int item(List<String> lines, int from, StringBuilder out) {
        Matcher first = item(lines.get(from));
        int indent = first.start(4);
        List<String> inside = new ArrayList<>(List.of(first.group(4)));
        int at = from + 1;
        boolean blank = false;
        while (at < lines.size()) {
            String line = lines.get(at);
            int margin = line.length() - line.stripLeading().length();
            boolean belongs = line.isBlank()
                    || margin >= indent
                    || (!blank && !ITEM.matcher(line).matches() && !line.startsWith(FENCE) && !line.startsWith("#"));
            if (!belongs) {
                break;
            }
            blank = line.isBlank();
            inside.add(line.substring(Math.min(margin, indent)));
            at++;
        }
        while (inside.get(inside.size() - 1).isBlank()) {
            inside.remove(inside.size() - 1);
            at--;
        }
        StringBuilder html = new StringBuilder();
        blocks(inside, html);
        out.append("<li>").append(tight(html.toString())).append("</li>\n");
        return at;
    }

    /** Without the paragraph around the first lines, where it is the only one: the items of most lists are one sentence. */
    private static String tight(String html) {
        if (html.startsWith("<p>") && html.indexOf("<p>", 3) < 0) {
            int end = html.indexOf("</p>");
            return html.substring(3, end) + html.substring(end + 4).stripTrailing();
        }
        return html.stripTrailing();
    }

    private static boolean isTable(List<String> lines, int at) {
        return lines.get(at).startsWith("|")
                && at + 1 < lines.size()
                && RULED.matcher(lines.get(at + 1).strip()).matches();
    }

    private int table(List<String> lines, int from, StringBuilder out) {
        List<String> head = cells(lines.get(from));
        List<String> aligned = cells(lines.get(from + 1)).stream()
                .map(cell -> cell.endsWith(":") ? (cell.startsWith(":") ? " class=\"c\"" : " class=\"r\"") : "")
                .toList();
        out.append("<div class=\"table\" tabindex=\"0\"><table>\n<thead>");
        row(head, "th", aligned, out);
        out.append("</thead>\n<tbody>\n");
        int at = from + 2;
        for (; at < lines.size() && lines.get(at).startsWith("|"); at++) {
            List<String> cells = cells(lines.get(at));
            if (cells.size() != head.size()) {
                throw new MarkdownException("a row of " + cells.size() + " cells in a table of " + head.size()
                        + " columns: " + lines.get(at));
            }
            row(cells, "td", aligned, out);
        }
        out.append("</tbody>\n</table></div>\n");
        return at;
    }

    private void row(List<String> cells, String tag, List<String> aligned, StringBuilder out) {
        out.append("<tr>");
        for (int i = 0; i < cells.size(); i++) {
            String how = i < aligned.size() ? aligned.get(i) : "";
            out.append('<').append(tag).append(how).append('>');
            out.append(inline.html(cells.get(i)));
            out.append("</").append(tag).append('>');
            inline.addPlain(" ");
        }
        out.append("</tr>\n");
    }

    /** The cells of a row; an escaped bar is no border, also in code. */
    static List<String> cells(String row) {
        String inside = row.strip();
        inside = inside.substring(inside.startsWith("|") ? 1 : 0);
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        for (int i = 0; i < inside.length(); i++) {
            char c = inside.charAt(i);
            if (c == '\\' && i + 1 < inside.length() && inside.charAt(i + 1) == '|') {
                cell.append('|');
                i++;
            } else if (c == '|') {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        if (!cell.toString().isBlank()) {
            cells.add(cell.toString().strip());
        }
        return cells;
    }

    private int quotation(List<String> lines, int from, StringBuilder out) {
        int at = from;
        List<String> inside = new ArrayList<>();
        while (at < lines.size() && lines.get(at).startsWith(QUOTE)) {
            inside.add(lines.get(at++).substring(1).strip());
        }
        out.append("<blockquote>\n");
        blocks(inside, out);
        out.append("</blockquote>\n");
        return at;
    }

    private int paragraph(List<String> lines, int from, StringBuilder out) {
        int at = from + 1;
        while (at < lines.size() && !lines.get(at).isBlank() && !interrupts(lines, at)) {
            at++;
        }
        String text = lines.subList(from, at).stream().map(String::strip).collect(Collectors.joining("\n"));
        out.append("<p>").append(inline.html(text)).append("</p>\n");
        inline.addPlain("\n");
        return at;
    }

    /** Whether a line begins something else than a paragraph, though none is blank before it. */
    private static boolean interrupts(List<String> lines, int at) {
        String line = lines.get(at);
        Matcher item = ITEM.matcher(line);
        boolean begins = item.matches()
                && (!Character.isDigit(item.group(2).charAt(0)) || item.group(2).equals("1."));
        return begins
                || line.startsWith(FENCE)
                || line.startsWith(QUOTE)
                || HEADING.matcher(line).matches()
                || isTable(lines, at);
    }
}
