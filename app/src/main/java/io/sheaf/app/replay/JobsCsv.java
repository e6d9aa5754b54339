package io.sheaf.app.replay;

import io.sheaf.sim.JobLog;
import io.sheaf.sim.Replayed;
import io.sheaf.sim.Trace;
import io.sheaf.text.TimeText;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** The jobs of a replay as CSV, in order of submission, times in the log's seconds. */
public final class JobsCsv {
    private static final String HEAD = "job,submit,start,end,nodes,requested,run,outcome\n";
    private static final long MICROS_PER_MILLI = 1000;

    private JobsCsv() {}

    /** Writes all jobs; start, end and run of a job that never started are empty. */
    public static void write(Trace trace, Replayed replayed, Writer out) throws IOException {
        JobLog log = trace.jobs();
        out.write(HEAD);
        StringBuilder line = new StringBuilder();
        for (int j = 0; j < log.size(); j++) {
            boolean ran = replayed.start(j) != Replayed.NEVER;
            line.setLength(0);
            line.append(log.id(j)).append(',').append(seconds(trace.logTime(log.submit(j))));
            line.append(',').append(ran ? seconds(trace.logTime(replayed.start(j))) : "");
            line.append(',').append(ran ? seconds(trace.logTime(replayed.end(j))) : "");
            line.append(',').append(log.nodes(j)).append(',').append(seconds(log.requested(j)));
            line.append(',').append(ran ? seconds(replayed.end(j) - replayed.start(j)) : "");
            line.append(',')
                    .append(replayed.outcome(j).name().toLowerCase(Locale.ROOT))
                    .append('\n');
            out.append(line);
        }
    }

    private static String seconds(long millis) {
        return TimeText.seconds(millis * MICROS_PER_MILLI);
    }
}
