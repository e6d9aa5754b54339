package io.sheaf.manager;

import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the files of a run are, and the time to copy them, if node pools belong to sites without a shared file system.
 *
 * <p>All files are on the manager's machine. A site has those that were copied to it or written there. A transfer to a site is expected to take a
 * latency and a time for each byte: the least-squares line through the measured transfers. A file of unknown size is as large as those that are known
 * in the mean. Pools of no such site have all files.
 */
final class FileLocations {
    private static final double MILLI = 1e3;
    private static final int SAMPLE = 64;

    private static final class FileCopies {
        long bytes;
        /** The first pool of each site that has it. */
        final BitSet at = new BitSet();
    }

    /** The pools of a site and the sums over transfers to it: bytes, and microseconds. */
    private static final class SiteTransfers {
        final int count;
        int transfers;
        double bytes;
        double micros;
        double squares;
        double products;

        SiteTransfers(int count) {
            this.count = count;
        }

        void measured(double size, double millis) {
            transfers++;
            bytes += size;
            micros += millis;
            squares += size * size;
            products += size * millis;
        }

        double perByte() {
            double spread = transfers * squares - bytes * bytes;
            double slope = spread > 0 ? Math.max(0, (transfers * products - bytes * micros) / spread) : 0;
            // A line below zero at no bytes has no latency.
            return bytes > 0 && (spread <= 0 || micros < slope * bytes) ? micros / bytes : slope;
        }

        double latency() {
            return transfers == 0 ? 0 : Math.max(0, micros - perByte() * bytes) / transfers;
        }
    }

    private final Map<String, FileCopies> files = new TreeMap<>();
    private final Map<Integer, SiteTransfers> sites = new TreeMap<>();
    private double known;

    boolean isEmpty() {
        return sites.isEmpty();
    }

    void placed(Event.Placed event) {
        SiteTransfers site = sites.computeIfAbsent(event.first(), first -> new SiteTransfers(event.count()));
        long sum = 0;
        for (int i = 0; i < event.files().size(); i++) {
            long bytes = event.bytes().get(i);
            sum += bytes;
            if (!event.files().get(i).isEmpty()) {
                FileCopies place = files.computeIfAbsent(event.files().get(i), name -> new FileCopies());
                known += bytes - place.bytes;
                place.bytes = bytes;
                if (event.micros() == Event.Placed.WRITTEN) {
                    // Copies of what it was before are of no use.
                    place.at.clear();
                }
                place.at.set(event.first());
            }
        }
        if (event.micros() >= 0) {
            site.measured((double) sum, (double) event.micros());
        }
    }

    /** The first pool of the site of a pool; −1 if it shares a file system with the manager. */
    int site(int pool) {
        for (Map.Entry<Integer, SiteTransfers> each : sites.entrySet()) {
            if (pool >= each.getKey() && pool - each.getKey() < each.getValue().count) {
                return each.getKey();
            }
        }
        return -1;
    }

    /** How long the inputs of a task are expected to be on their way to a site, in milliseconds. */
    long millis(Workflow workflow, int task, int first) {
        SiteTransfers site = sites.get(first);
        if (site == null) {
            return 0;
        }
        double missing = 0;
        boolean any = false;
        for (int i = 0; i < workflow.inputs(task); i++) {
            int file = workflow.input(task, i);
            FileCopies place = files.get(workflow.fileName(file));
            if (place == null || !place.at.get(first)) {
                missing += bytes(place, workflow.fileSize(file));
                any = true;
            }
        }
        return any ? Math.round((site.latency() + missing * site.perByte()) / MILLI) : 0;
    }

    private double bytes(@Nullable FileCopies place, long declared) {
        if (place != null) {
            return place.bytes;
        }
        return declared == Workflow.UNKNOWN ? known / Math.max(1, files.size()) : declared;
    }

    /** The mean of {@link #millis} over some tasks that are next to start in a pool. */
    long next(ManagedRun run, int pool) {
        int first = site(pool);
        if (first < 0) {
            return 0;
        }
        long sum = 0;
        int count = 0;
        for (int task = run.nextReady(0); task >= 0 && count < SAMPLE; task = run.nextReady(task + 1)) {
            sum += millis(run.workflow, task, first);
            count++;
        }
        for (int task = 0; count == 0 && task < run.workflow.size(); task++) {
            if (!run.isFinal(task) && run.binding.running(task) == null) {
                sum = millis(run.workflow, task, first);
                count = 1;
            }
        }
        return count == 0 ? 0 : sum / count;
    }

    /** Events that restore this state. */
    List<Event> events(long at) {
        List<Event> events = new ArrayList<>();
        sites.forEach((first, site) -> {
            List<String> names = new ArrayList<>();
            List<Long> sizes = new ArrayList<>();
            files.forEach((name, place) -> {
                if (place.at.get(first)) {
                    names.add(name);
                    sizes.add(place.bytes);
                }
            });
            // Two transfers have the line of all, and the files are part of neither.
            long twice = Math.round(2 * site.bytes / Math.max(1, site.transfers));
            double unsized = site.latency();
            events.add(new Event.Placed(at, first, site.count, List.of(""), List.of(0L), Math.round(unsized)));
            events.add(new Event.Placed(
                    at, first, site.count, List.of(""), List.of(twice), Math.round(unsized + twice * site.perByte())));
            events.add(new Event.Placed(at, first, site.count, names, sizes, Event.Placed.KNOWN));
        });
        return events;
    }
}
