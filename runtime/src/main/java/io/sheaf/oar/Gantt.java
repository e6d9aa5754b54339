package io.sheaf.oar;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * OAR's schedule of the whole queue: the planned start and nodes of each job, if every job uses its full walltime.
 *
 * <p>OAR places queued jobs in order, each into the first free slot, and replans when a job ends early. A new job comes
 * last and gets the first free slot, unless fair sharing moves it ahead. All instants are in milliseconds.
 */
final class Gantt {
    /** OAR's default gap between two jobs ({@code SCHEDULER_JOB_SECURITY_TIME}), in milliseconds. */
    static final long BETWEEN = 60_000;

    private final List<List<Span>> taken;
    private final Map<String, Long> planned;

    private Gantt(List<List<Span>> taken, Map<String, Long> planned) {
        this.taken = taken;
        this.planned = planned;
    }

    /** A time interval. */
    private record Span(long from, long until) {}

    /**
     * Parses {@code oarstat --gantt -J}.
     *
     * @param cores the cores per node that a job needs; a node with fewer free cores counts as in use
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

    /** A change of the number of used cores at an instant. */
    private record Use(long at, int more) {}

    /** The intervals in which more than {@code spare} cores are used. */
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

    /** The number of nodes with enough cores. */
    int nodes() {
        return taken.size();
    }

    /** The planned start of a queued job of this name; {@link Long#MAX_VALUE} if there is none. */
    long planned(String name) {
        return planned.getOrDefault(name, Long.MAX_VALUE);
    }

    /**
     * The start of the first free slot of this many nodes and milliseconds; {@link Long#MAX_VALUE} if there is none.
     */
    long hole(long now, int nodes, long millis) {
        if (nodes > taken.size()) {
            return Long.MAX_VALUE;
        }
        // A free slot begins now or when a node becomes free.
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
