package io.sheaf.lab.experiment;

import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueOrder;
import io.sheaf.formats.slurm.SacctReader;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.TraceRules.Cancelled;
import io.sheaf.sim.model.ClusterFigures;
import io.sheaf.sim.model.Presets;
import io.sheaf.text.InputException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An entry below {@code clusters}: the background jobs and the scheduling policy; keys with lists give several variants. */
public final class ClusterEntry {
    public static final List<String> KEYS = List.of(
            "name",
            "trace",
            "or",
            "model",
            "days",
            "nodes",
            "policy",
            "order",
            "placement",
            "pools",
            "cancelled",
            "scale-load",
            "from",
            "weeks",
            "procs-per-node",
            "sacct-unit",
            "sacct-zone");

    private static final int DAYS = 30;
    private static final long HOUR = 3_600_000;
    private static final String NO_POOLS = "none";
    private static final String DEPTH = "depth:";

    private final Section section;
    private final @Nullable Text trace;
    private final @Nullable Text model;
    private final int days;
    private final @Nullable Integer nodes;
    private final int procsPerNode;
    private final int weeks;
    private final List<Integer> policies;
    private final List<String> orders;
    private final List<Policy.NodeSelection> placements;
    private final List<Cancelled> cancelled;
    private final List<String> scales;
    private final List<String> pools;
    private final List<Long> from;
    private final SacctReader.@Nullable Unit unit;
    private final ZoneId zone;

    /** Reads a cluster from a map that may have further keys. */
    public ClusterEntry(Section section) {
        this.section = section;
        trace = section.text("trace");
        Text preset = section.text(trace == null ? "model" : "or");
        boolean known = preset != null && section.problems().get(preset.place(), () -> preset(preset.text())) != null;
        model = known ? preset : null;
        if (section.has("trace") == section.has("model")) {
            section.problem(
                    "a cluster has either a 'trace' or a 'model'; 'or' names the model to use if the trace is missing");
        }
        days = section.one("days", DAYS, Section.whole(1));
        nodes = section.has("nodes") ? section.one("nodes", 1, Section.whole(1)) : null;
        procsPerNode = section.one("procs-per-node", 1, Section.whole(1));
        weeks = section.one("weeks", 0, Section.whole(1));
        policies = section.each("policy", List.of(), ClusterEntry::depth);
        orders = section.each("order", List.of("fcfs"), ClusterEntry::order);
        placements = section.each("placement", List.of(), Section.constant(Policy.NodeSelection.class));
        cancelled = section.each("cancelled", List.of(), Section.constant(Cancelled.class));
        scales = section.each("scale-load", List.of("1"), Section::factor);
        pools = section.each("pools", List.of(NO_POOLS), text -> text);
        from = section.each("from", List.of(0L), Section::time);
        unit = section.has("sacct-unit")
                ? section.one("sacct-unit", SacctReader.Unit.CPUS, Section.constant(SacctReader.Unit.class))
                : null;
        zone = section.one("sacct-zone", ZoneId.of("UTC"), ClusterEntry::zone);
        if (weeks > 0 && section.has("from")) {
            section.problem("'weeks' spreads the periods by itself; remove 'from'");
        }
    }

    public static ClusterEntry read(Mapping fields, Problems problems) {
        return new ClusterEntry(new Section(fields, "a cluster", KEYS, problems));
    }

    private static ClusterFigures preset(String name) {
        List<ClusterFigures> all = Presets.all();
        return all.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Section.unknown(
                        name, all.stream().map(ClusterFigures::name).toList()));
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new InputException("'" + text + "' is not a time zone; write Europe/Stockholm, UTC or +01:00");
        }
    }

    /** Checks an order and returns it as written. */
    private static String order(String text) {
        String written = text.strip().toLowerCase(Locale.ROOT);
        QueueOrder.parse(written);
        return written;
    }

    private static int depth(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        return switch (word) {
            case "fcfs" -> Policy.FCFS;
            case "easy" -> Policy.EASY;
            case "conservative" -> Policy.CONSERVATIVE;
            default -> {
                if (!word.startsWith(DEPTH)) {
                    throw Section.unknown(text, List.of("fcfs", "easy", "conservative", "depth:K"));
                }
                yield Section.whole(0).apply(word.substring(DEPTH.length()));
            }
        };
    }

    /** A depth as written in the file. */
    public static String depthText(int depth) {
        return switch (depth) {
            case Policy.FCFS -> "fcfs";
            case Policy.EASY -> "easy";
            case Policy.CONSERVATIVE -> "conservative";
            default -> DEPTH + depth;
        };
    }

    /** The jobs of the log or the model; reports a problem and returns null if neither is available. */
    public @Nullable Workload load(Inputs inputs, long seed) {
        Text source = trace;
        if (source != null) {
            Path file = section.problems().get(source.place(), () -> inputs.find(source.text()));
            if (file != null) {
                return section.problems().get(source.place(), () -> Workload.read(file, unit, zone));
            }
        }
        if (model == null) {
            if (source != null && !section.has("or")) {
                section.problems()
                        .add(
                                "no log '" + source.text()
                                        + "' here or in a --data folder; name an existing log, or a model under 'or'",
                                source.place());
            }
            return null;
        }
        return Workload.model(model.text(), seed, days);
    }

    public String name() {
        return section.text("name", trace == null ? model == null ? "" : model.text() : trace.text());
    }

    /** The number of nodes; reports a problem and returns 0 if it is not known. */
    public int nodes(Workload load) {
        if (nodes != null) {
            return nodes;
        }
        long procs = load.procs().orElse(0);
        if (procs < 1 || procs > Integer.MAX_VALUE) {
            section.problem(load.name() + " has no number of nodes; add 'nodes'");
            return 0;
        }
        return (int) ((procs + procsPerNode - 1) / procsPerNode);
    }

    /** All variants with these jobs; parameters without a key are those of the conventions. */
    public List<ClusterSetup> variants(Workload load, Conventions conventions) {
        Policy defaults = conventions.policy();
        List<Integer> depths = policies.isEmpty() ? List.of(defaults.depth()) : policies;
        List<Policy.NodeSelection> places = placements.isEmpty() ? List.of(defaults.placement()) : placements;
        List<Cancelled> rules = cancelled.isEmpty() ? List.of(conventions.cancelled()) : cancelled;
        List<Long> periods = periods(load);
        long count = Combination.count(pools, depths, orders, places, rules, scales, periods);
        List<ClusterSetup> all = new ArrayList<>();
        for (long number = 0; number < count; number++) {
            Combination combination = new Combination(number);
            long begin = combination.of(periods);
            String scale = combination.of(scales);
            Cancelled rule = combination.of(rules);
            Policy.NodeSelection placement = combination.of(places);
            String order = combination.of(orders);
            Policy policy = Policy.depth(combination.of(depths))
                    .withOrder(QueueOrder.parse(order))
                    .withPlacement(placement);
            String pooled = combination.of(pools);
            Policy with = section.problems().get(section.place(), () -> with(policy, pooled, nodes(load)));
            if (with != null) {
                all.add(new ClusterSetup(
                        name(), load, nodes(load), procsPerNode, with, order, rule, scale, begin, pooled));
            }
        }
        return all;
    }

    private static Policy with(Policy policy, String pools, int nodes) {
        if (!pools.equals(NO_POOLS) && policy.placement() == Policy.NodeSelection.CONTIGUOUS) {
            throw new InputException("'pools' cannot be used with contiguous placement; write placement: count");
        }
        return pools.equals(NO_POOLS) ? policy : policy.withPools(Pools.parse(pools, nodes));
    }

    /** The beginnings of the replayed periods; weeks are spread evenly, and the last one leaves ten days of the log. */
    private List<Long> periods(Workload load) {
        if (weeks == 0) {
            return from;
        }
        List<Long> begins = new ArrayList<>();
        long room = Math.max(0, load.span() - 240 * HOUR);
        for (int i = 0; i < weeks; i++) {
            long begin = weeks == 1 ? 0 : room * i / (weeks - 1);
            begins.add(begin - begin % HOUR);
        }
        return begins;
    }
}
