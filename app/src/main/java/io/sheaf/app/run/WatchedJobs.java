package io.sheaf.app.run;

import io.sheaf.runtime.batch.WhatIf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The batch jobs of a workflow that another tool runs, as observed in the queue: a file of lines, to which each observation appends what has changed.
 *
 * <p>An end is halfway between the last observation with a job and the next one. Reading ignores an incomplete last line, so that a killed process
 * loses at most its last observation.
 */
final class WatchedJobs {
    private static final String FILE = "watched";

    /**
     * A job; instants in milliseconds, {@link WhatIf#UNKNOWN} if not yet.
     *
     * @param firstSeen when it was first observed
     */
    record ObservedJob(String id, String name, int nodes, long limit, long firstSeen, long start, long end) {
        boolean hasEnded() {
            return end != WhatIf.UNKNOWN;
        }

        /** The same, which is no longer in the queue. */
        ObservedJob ended(long from, long until) {
            return new ObservedJob(id, name, nodes, limit, firstSeen, from, until);
        }

        /** The run time; 0 if it was not seen to run. */
        long ran() {
            return start == WhatIf.UNKNOWN || end == WhatIf.UNKNOWN ? 0 : Math.max(0, end - start);
        }
    }

    private final Path file;
    private final Map<String, ObservedJob> jobs = new LinkedHashMap<>();
    private long last = WhatIf.UNKNOWN;

    /** Opens the record in a folder, with what earlier processes observed. */
    WatchedJobs(Path folder) throws IOException {
        file = folder.resolve(FILE);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                read(line.split(" ", 8));
            }
        }
    }

    /** A line has an id, nodes, limit, the first observation, start, end, a mark and the name. */
    private void read(String[] cells) {
        if (cells.length == 8 && cells[6].equals("job")) {
            jobs.put(
                    cells[0],
                    new ObservedJob(
                            cells[0],
                            cells[7],
                            Integer.parseInt(cells[1]),
                            Long.parseLong(cells[2]),
                            Long.parseLong(cells[3]),
                            Long.parseLong(cells[4]),
                            Long.parseLong(cells[5])));
        }
    }

    /** Records an observation; returns the number of jobs in the queue. */
    int observe(long at, List<WhatIf.WatchedJob> observed) throws IOException {
        List<ObservedJob> changed = new ArrayList<>();
        Map<String, ObservedJob> present = new LinkedHashMap<>();
        for (WhatIf.WatchedJob each : observed) {
            ObservedJob before = jobs.get(each.id());
            long seen = before == null ? at : before.firstSeen();
            ObservedJob now = new ObservedJob(
                    each.id(), each.name(), each.nodes(), each.limit(), seen, each.start(), WhatIf.UNKNOWN);
            present.put(each.id(), now);
            if (!now.equals(before)) {
                changed.add(now);
            }
        }
        for (ObservedJob each : jobs.values()) {
            if (!each.hasEnded() && !present.containsKey(each.id())) {
                long until = last == WhatIf.UNKNOWN ? at : last + (at - last) / 2;
                long from = each.start() == WhatIf.UNKNOWN
                        ? Math.min(until, Math.max(each.firstSeen(), last))
                        : each.start();
                changed.add(each.ended(from, Math.max(until, each.start())));
            }
        }
        last = at;
        append(changed);
        return present.size();
    }

    private void append(List<ObservedJob> changed) throws IOException {
        if (changed.isEmpty() && Files.exists(file)) {
            return;
        }
        // Ends an incomplete line of a killed process.
        StringBuilder text = new StringBuilder("\n");
        for (ObservedJob each : changed) {
            jobs.put(each.id(), each);
            text.append(each.id() + " " + each.nodes() + " " + each.limit() + " " + each.firstSeen() + " "
                    + each.start() + " " + each.end() + " job " + each.name() + "\n");
        }
        Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    Collection<ObservedJob> all() {
        return jobs.values();
    }
}
