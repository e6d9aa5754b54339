package io.sheaf.platform;

import io.sheaf.text.InputException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The two models of the published study: its paper, and the simulator that produced its data. */
public enum Model {
    /** As in the paper: largest first, remote reads cached, files as fluids, queries free of cost. */
    PAPER,
    /** What made the data: smallest first, nothing cached, files in chunks, a round trip for every question. */
    PUBLISHED;

    public static Model of(String name) {
        List<String> known = Arrays.stream(values()).map(Model::text).toList();
        int at = known.indexOf(name.toLowerCase(Locale.ROOT));
        if (at < 0) {
            throw InputException.unknown("platform model", name, known);
        }
        return values()[at];
    }

    /** Its name as users write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
