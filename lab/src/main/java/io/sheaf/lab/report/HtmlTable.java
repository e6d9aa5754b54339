package io.sheaf.lab.report;

import io.sheaf.formats.picture.Svg;
import java.util.List;

/** A table of an HTML page. */
final class HtmlTable {
    /** A cell that begins with this is a run number, shown as a button. */
    static final String RUN = "run ";

    private final StringBuilder text = new StringBuilder("<div class=\"wide\"><table>\n<tr>");

    HtmlTable(List<String> head) {
        head.forEach(each -> text.append("<th>").append(Svg.escape(each)).append("</th>"));
        text.append("</tr>\n");
    }

    /**
     * Adds a row.
     *
     * @param name the first cell; empty if it repeats the row above
     * @param link the link of the name; empty for none
     * @param marked whether to highlight the last cell
     */
    void row(String name, String link, List<String> cells, boolean marked) {
        String shown = Svg.escape(name);
        text.append(name.isEmpty() ? "<tr><td>" : "<tr class=\"first\"><td>");
        text.append(link.isEmpty() ? shown : "<a href=\"" + link + "\">" + shown + "</a>")
                .append("</td>");
        for (int i = 0; i < cells.size(); i++) {
            text.append(marked && i == cells.size() - 1 ? "<td class=\"failed\">" : "<td>");
            text.append(cell(cells.get(i))).append("</td>");
        }
        text.append("</tr>\n");
    }

    private static String cell(String text) {
        if (text.startsWith(RUN)) {
            String number = text.substring(RUN.length());
            return "<button type=\"button\" data-run=\"" + number + "\">" + number + "</button>";
        }
        return Svg.escape(text);
    }

    @Override
    public String toString() {
        return text + "</table></div>\n";
    }
}
