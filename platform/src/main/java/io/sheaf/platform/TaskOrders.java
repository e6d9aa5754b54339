package io.sheaf.platform;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.workflow.Workflow;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the order that breaks ties between tasks.
 *
 * <p>Either one task a line, first first; or CSV with a header whose first column is {@code task}, and the task's place in a column
 * {@code order} or {@code PLATFORM_single}, {@code PLATFORM_portfolio}.
 */
public final class TaskOrders {
    private TaskOrders() {}

    /** The place of each task of the workflow. */
    public static int[] read(Source source, Workflow workflow, String platform, boolean portfolio) {
        return source.read(in -> {
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            return new OrderReader(workflow).read(lines, platform + (portfolio ? "_portfolio" : "_single"));
        });
    }

    private static final class OrderReader {
        private final Workflow workflow;
        private final int[] place;
        private final boolean[] taken;
        private int line;
        private int found;

        OrderReader(Workflow workflow) {
            this.workflow = workflow;
            place = new int[workflow.size()];
            taken = new boolean[workflow.size()];
            Arrays.fill(place, -1);
        }

        int[] read(BufferedReader lines, String name) throws IOException {
            int column = -1;
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                line++;
                if (line == 1 && text.startsWith("task,")) {
                    column = column(List.of(text.split(",")), name);
                } else if (!text.isBlank()) {
                    take(text, column);
                }
            }
            if (found < place.length) {
                throw new InputException("names " + found + " of the " + place.length
                        + " tasks; an order of ties names every task of the workflow");
            }
            return place;
        }

        private static int column(List<String> names, String name) {
            int column = names.contains(name) ? names.indexOf(name) : names.indexOf("order");
            if (column < 0) {
                throw new InputException(
                        "has no column '" + name + "' and none 'order'; name the column with the places so",
                        Place.of(1, 0));
            }
            return column;
        }

        private void take(String text, int column) {
            String[] fields = column < 0 ? new String[] {text.strip()} : text.split(",");
            int task = workflow.find(fields[0]);
            if (task < 0) {
                throw new InputException("the workflow has no task '" + fields[0] + "'", Place.of(line, 0));
            }
            int at = column < 0 ? found : number(fields, column);
            if (at < 0 || at >= taken.length || taken[at] || place[task] >= 0) {
                throw new InputException(
                        "the task or its position is repeated, or the position is not below " + taken.length,
                        Place.of(line, 0));
            }
            place[task] = at;
            taken[at] = true;
            found++;
        }

        private static int number(String[] fields, int column) {
            try {
                return column < fields.length ? Integer.parseInt(fields[column].strip()) : -1;
            } catch (NumberFormatException e) {
                return -1;
            }
        }
    }
}
