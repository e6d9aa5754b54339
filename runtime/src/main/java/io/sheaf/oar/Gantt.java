package io.sheaf.oar;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * OAR's plan of the whole queue: when each job starts and where, if every one takes all its time.
 *
 * <p>OAR plans all jobs that wait, in their order, each into the first hole that is left, and does so again whenever something ends early. A job that is submitted now comes last: it gets the first
 * hole of what is planned so far, unless fair sharing puts it before others. All instants are in milliseconds.
 */
final class Gantt {
    /** OAR keeps so long free between two jobs, unless the site configures otherwise (SCHEDULER_JOB_SECURITY_TIME). */
    static final long BETWEEN = 60_000;

    private final List<List<Span>> taken;
    private final Map<String, Long> planned;

    private Gantt(List<List<Span>> taken, Map<String, Long> planned) {
        this.taken = taken;
        this.planned = planned;
    }

    /** From when until when something is. */
    private record Span(long from, long until) {}

    /**
     * What {@code oarstat --gantt -J} tells.
     *
     * @param cores as many of a node as a job needs: with fewer free a node counts as taken
     */
    static Gantt parse(String text, int cores, long now) {
        OarJson all = OarJson.parse("oarstat --gantt", text);
        Map<Long, String> nodeOf = new HashMap<>();
        Map<String, Integer> size = new TreeMap<>();
        for (OarJson resource : all.list("resources")) {
            if (OarAnswers.isUsable(resource, now / 1000)) {
                String node = resource.text("network_address");
                nodeOf.put(resource.number("resource_id"), node);
                size.merge(node, 1, Integer::sum);
            }
        }
        Map<String, List<Use>> uses = new HashMap<>();
        Map<String, Long> planned = new HashMap<>();
        for (OarJson job : all.object("jobs").objects().values()) {
            long from = job.number("start_time") * 1000;
            long until = job.number("stop_time") * 1000 + BETWEEN;
            boolean over =
                    job.text("state").equals("Terminated") || job.text("state").equals("Error");
            if (job.text("state").equals("Waiting")) {
                planned.put(job.text("job_name"), from);
            }
            for (String id : over ? List.<String>of() : job.words("resource_id")) {
                String node = nodeOf.get(Long.parseLong(id));
                if (node != null) {
                    List<Use> there = uses.computeIfAbsent(node, none -> new ArrayList<>());
                    there.add(new Use(from, 1));
                    there.add(new Use(until, -1));
                }
            }
        }
        List<List<Span>> taken = new ArrayList<>();
        size.forEach((node, most) -> {
            if (most >= cores) {
                taken.add(spans(uses.getOrDefault(node, List.of()), most - cores));
            }
        });
        return new Gantt(taken, planned);
    }

    /** More or fewer cores of a node are used from an instant on. */
    private record Use(long at, int more) {}

    /** When more than so many cores are used. */
    private static List<Span> spans(List<Use> uses, int spare) {
        List<Use> sorted = new ArrayList<>(uses);
        sorted.sort(Comparator.comparingLong(Use::at).thenComparingInt(Use::more));
        List<Span> spans = new ArrayList<>();
        int used = 0;
        long from = 0;
        for (Use use : sorted) {
            boolean was = used > spare;
            used += use.more();
            if (!was && used > spare) {
                from = use.at();
            } else if (was && used <= spare && use.at() > from) {
                spans.add(new Span(from, use.at()));
            }
        }
        return spans;
    }

    /** How many nodes have the cores. */
    int nodes() {
        return taken.size();
    }

    /** When a waiting job of this name is planned to start; {@link Long#MAX_VALUE} if it is not, or there is none. */
    long planned(String name) {
        return planned.getOrDefault(name, Long.MAX_VALUE);
    }

    /** When the first hole of so many nodes for so long begins; {@link Long#MAX_VALUE} if there never is one. */
    long hole(long now, int nodes, long millis) {
        if (nodes > taken.size()) {
            return Long.MAX_VALUE;
        }
        // A hole begins now or where some node becomes free.
        List<Long> begins = new ArrayList<>(List.of(now));
        taken.forEach(spans -> spans.forEach(span -> begins.add(span.until())));
        begins.sort(Comparator.naturalOrder());
        long before = Long.MIN_VALUE;
        for (long begin : begins) {
            if (begin >= now && begin != before && free(begin, begin + millis) >= nodes) {
                return begin;
            }
            before = begin;
        }
        throw new AssertionError("all nodes are free when everything has ended");
    }

    private int free(long from, long until) {
        int free = 0;
        for (List<Span> spans : taken) {
            boolean isFree = true;
            for (Span span : spans) {
                isFree &= span.until() <= from || span.from() >= until;
            }
            free += isFree ? 1 : 0;
        }
        return free;
    }
}
