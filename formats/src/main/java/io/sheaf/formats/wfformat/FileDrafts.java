package io.sheaf.formats.wfformat;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The files that a WfFormat file mentions, and which task reads and writes which. */
final class FileDrafts {
    final TaskLinks uses = new TaskLinks();
    private long[] bytes = new long[0];
    /** Names before they were rewritten to suit the schema, by number. */
    private final Map<Integer, String> trueNames = new HashMap<>();
    /** Numbers in the order of the list of all files, so that a file that is read and written again is the same. */
    private final Set<Integer> listed = new LinkedHashSet<>();

    /** The size of a file; the first one in the document is used. */
    void firstSize(String id, long size) {
        int file = number(id);
        if (bytes[file] == Workflow.UNKNOWN) {
            bytes[file] = size;
        }
    }

    /** The size of a file in the one list of all files, where there can be no two of it. */
    void listedSize(String id, long size, long place) {
        int file = number(id);
        listed.add(file);
        if (bytes[file] != Workflow.UNKNOWN && bytes[file] != size) {
            throw new InputException(
                    "file '" + id + "' is listed with two sizes, " + bytes[file] + " and " + size + "; keep one",
                    place);
        }
        bytes[file] = size;
    }

    void trueName(String id, String name) {
        trueNames.put(number(id), name);
    }

    private int number(String id) {
        int file = uses.number(id);
        if (file >= bytes.length) {
            int before = bytes.length;
            bytes = Arrays.copyOf(bytes, file + (file >> 1) + 16);
            Arrays.fill(bytes, before, bytes.length, Workflow.UNKNOWN);
        }
        return file;
    }

    /** Hands everything over to a builder whose tasks have the numbers that they have here. */
    void apply(WorkflowBuilder builder) {
        for (int file = 0; file < uses.words(); file++) {
            listed.add(file);
        }
        int[] built = new int[uses.words()];
        for (int file : listed) {
            String id = uses.text(file);
            number(id);
            built[file] = builder.file(trueNames.getOrDefault(file, id), bytes[file]);
        }
        for (int i = 0; i < uses.size(); i++) {
            int file = built[uses.word(i)];
            if (uses.isIncoming(i)) {
                builder.input(uses.task(i), file);
            } else {
                builder.output(uses.task(i), file);
            }
        }
    }
}
