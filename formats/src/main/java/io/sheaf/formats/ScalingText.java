package io.sheaf.formats;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Scaling;
import java.util.Map;
import java.util.TreeMap;

/** Run times on several core counts in one line: {@code 1=120.5 8=20}, cores and seconds. */
public final class ScalingText {
    private ScalingText() {}

    public static String write(Scaling scaling) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < scaling.size(); i++) {
            out.append(i == 0 ? "" : " ")
                    .append(scaling.cores(i))
                    .append('=')
                    .append(TimeText.seconds(scaling.micros(i)));
        }
        return out.toString();
    }

    public static Scaling read(String text) {
        Map<Integer, Long> table = new TreeMap<>();
        for (String entry : text.strip().split("\\s+")) {
            int equals = entry.indexOf('=');
            if (equals < 0) {
                throw new InputException("'" + entry + "' is not CORES=SECONDS; write for example 1=120.5 8=20");
            }
            long micros = NumberText.seconds(entry.substring(equals + 1), "a run time");
            if (micros < 0) {
                throw new InputException("'" + entry + "' is a negative run time; a run time is 0 or more");
            }
            if (table.put(NumberText.count(entry.substring(0, equals), 1, "a core count"), micros) != null) {
                throw new InputException("'" + text.strip() + "' has two times for " + entry.substring(0, equals)
                        + " cores; give one for each core count");
            }
        }
        return new Scaling(table);
    }
}
