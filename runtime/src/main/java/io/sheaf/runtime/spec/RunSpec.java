package io.sheaf.runtime.spec;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.manager.MemoryGrowth;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The specification of a run, as in {@code run.json} in the run's folder; written once.
 *
 * @param id identifies the run in the environment of its processes
 * @param name of the workflow
 * @param workFolder where tasks run
 * @param isolated whether each attempt runs in a folder of its own
 * @param nodes the maximum number of nodes of a pilot job
 * @param node resources of a node for tasks
 * @param background background jobs, or empty
 * @param cap the maximum number of pilot jobs at once
 * @param outputPatience how long to wait for outputs, in milliseconds
 * @param where its pilot jobs run
 * @param times which run times come from earlier runs
 * @param brief the maximum run time of tasks that may be sent to an agent before it has a free core, in
 * milliseconds
 * @param ample whether run times are users' limits instead of expected values
 * @param hold the maximum time to keep idle nodes while more tasks are expected, in milliseconds
 * @param perRun limits of named resources for the whole run
 * @param growth how memory requests grow after an out-of-memory kill
 * @param limits of a pilot job, with the agents' reserve
 * @param pools the node pools that a pilot job may be submitted to, with the same limits; none if the options select one
 */
public record RunSpec(
        String id,
        String name,
        String workFolder,
        boolean fileEdges,
        boolean isolated,
        String strategy,
        String profile,
        int nodes,
        Resources node,
        String background,
        long seed,
        int cap,
        boolean keepGoing,
        int outputPatience,
        Placement where,
        ExpectedRunTimes.HistoryRule times,
        int brief,
        boolean ample,
        long hold,
        NamedAmounts perRun,
        MemoryGrowth growth,
        JobLimits limits,
        Pools pools) {
    /** In place of a strategy: the workflow is submitted to the cluster as a whole, which chooses the strategy. */
    public static final String WHOLE = "whole";

    /** The least walltime for tasks, in milliseconds. */
    private static final long MIN_OFFERED = 60_000;

    private static final int VERSION = 3;

    /** The format version whose runs were all on the embedded cluster. */
    private static final int LOCAL_ONLY = 1;

    /** The first format version with a checksum. */
    private static final int CHECKED = 3;

    /** The first part of the key of a site's lines. */
    private static final String SITE = "site.";

    private static final String CHECKSUM = "\"checksum\":\"";
    private static final int MAX_BYTES = 64 << 20;

    /** The same specification for tasks that run in another folder. */
    public RunSpec at(String otherFolder) {
        return new RunSpecBuilder(this).workFolder(otherFolder).build();
    }

    /**
     * The specification for some tasks where nodes differ between pools: a node is that of the largest pool on which every task fits, or has the most of
     * everything if there is no such pool.
     */
    public RunSpec forTasks(Workflow workflow) {
        if (!pools.areUnequal()) {
            return this;
        }
        Resources largest = pools.all().stream()
                .map(pool -> Objects.requireNonNullElse(pool.node(), node))
                .reduce(Resources::most)
                .orElseThrow();
        // A moldable task does not need more cores than any node has.
        Pool best = largest(workflow.fitting(largest, nodes, Long.MAX_VALUE));
        Resources chosen = best == null ? largest : Objects.requireNonNullElse(best.node(), node);
        Map<String, Long> named = node.named().map();
        named.keySet().removeIf(resource -> resource.startsWith(NamedAmounts.GPU));
        named.putAll(chosen.named().map());
        return new RunSpecBuilder(this)
                .nodes(Math.min(nodes, pools.on(chosen).maxNodes()), chosen.named(NamedAmounts.of(named)))
                .build();
    }

    /** The largest pool on which every task fits; null if there is none. */
    private @Nullable Pool largest(Workflow workflow) {
        return pools.all().stream()
                .filter(pool ->
                        IntStream.range(0, workflow.size()).allMatch(task -> pool.has(workflow.resources(task))))
                .max(Comparator.comparingInt(Pool::size))
                .orElse(null);
    }

    /** The workflow without core counts that no job of the run can have; see {@link Workflow#fitting}. */
    public Workflow fitting(Workflow workflow) {
        return workflow.fitting(node, nodes, Long.MAX_VALUE);
    }

    public boolean isWhole() {
        return strategy.equals(WHOLE);
    }

    /**
     * The limits of what a pilot job offers its tasks; refused if too little is left.
     *
     * @param reserve the agents' reserve, in milliseconds
     */
    public JobLimits offered(long reserve) {
        if (limits.walltime() == JobLimits.NONE.walltime()) {
            return limits;
        }
        if (limits.walltime() < reserve + MIN_OFFERED) {
            throw new InputException("a job may run for at most " + TimeText.text(limits.walltime() * 1000)
                    + ", of which agents need " + TimeText.text(reserve * 1000)
                    + " to stop. Allow a minute more (--max-time), or use another partition");
        }
        return limits.without(reserve);
    }

    /** The pools with the limits of what a pilot job offers its tasks. */
    public Pools offeredPools(long reserve) {
        return pools.limited(each -> each.without(reserve));
    }

    /** The content of the file. */
    public String text() {
        String content = FlatJson.object(out -> {
            out.writeNumberProperty("version", VERSION);
            out.writeStringProperty("id", id);
            out.writeStringProperty("name", name);
            out.writeStringProperty("workFolder", workFolder);
            out.writeBooleanProperty("fileEdges", fileEdges);
            out.writeBooleanProperty("isolated", isolated);
            out.writeStringProperty("strategy", strategy);
            out.writeStringProperty("profile", profile);
            out.writeNumberProperty("nodes", nodes);
            out.writeNumberProperty("coresPerNode", node.cores());
            out.writeNumberProperty("gpusPerNode", node.gpus());
            out.writeStringProperty("background", background);
            out.writeNumberProperty("seed", seed);
            out.writeNumberProperty("cap", cap);
            out.writeBooleanProperty("keepGoing", keepGoing);
            out.writeNumberProperty("outputPatience", outputPatience);
            out.writeBooleanProperty("timesFromHistory", times.all());
            out.writeStringProperty("timeQuantile", DecimalText.fixed(times.quantile(), 6));
            out.writeNumberProperty("brief", brief);
            out.writeBooleanProperty("ample", ample);
            out.writeNumberProperty("hold", hold);
            out.writeNumberProperty("memoryPerNode", node.countsMemory() ? node.memory() : 0);
            write(out, "nodeResources", node.named());
            write(out, "runResources", perRun);
            out.writeNumberProperty("memoryGrowthPercent", growth.percent());
            out.writeNumberProperty("memoryMost", growth.max());
            out.writeNumberProperty("maxTime", limits.walltime());
            out.writeNumberProperty("maxNodes", limits.units());
            if (limits.limitsUnitTime()) {
                out.writeNumberProperty("maxNodeTime", limits.unitTime());
            }
            out.writeStringProperty("on", where.system());
            FlatJson.write(out, "options", where.options());
            where.sites().forEach(site -> FlatJson.write(out, SITE + site.name(), site.lines()));
            if (pools.count() > 0) {
                FlatJson.write(
                        out, "pools", pools.all().stream().map(Pool::text).toList());
            }
        });
        String checked = content.substring(0, content.length() - 1) + ",";
        return checked + CHECKSUM + checksum(checked) + "\"}\n";
    }

    private static void write(JsonGenerator out, String key, NamedAmounts limits) {
        List<String> lines = new ArrayList<>();
        limits.map().forEach((name, amount) -> lines.add(name + "=" + amount));
        FlatJson.write(out, key, lines);
    }

    private static NamedAmounts named(FlatJson values, String key) {
        Map<String, Long> limits = new TreeMap<>();
        for (String each : values.list(key)) {
            int equals = each.lastIndexOf('=');
            limits.put(each.substring(0, Math.max(0, equals)), Long.parseLong(each.substring(equals + 1)));
        }
        return NamedAmounts.of(limits);
    }

    /**
     * Reads a specification.
     *
     * @throws InputException if the file is damaged, incomplete or of a newer version
     */
    public static RunSpec read(Path file) {
        try {
            return of(content(file));
        } catch (InputException e) {
            throw e.in(file.toString());
        }
    }

    private static RunSpec of(String content) {
        checkSum(content);
        FlatJson values = FlatJson.parse(content);
        int version = version(values);
        boolean local = version == LOCAL_ONLY;
        if (version >= CHECKED && !content.contains(CHECKSUM)) {
            throw new InputException("damaged: it has no checksum");
        }
        try {
            return new RunSpecBuilder(
                            values.text("id"), values.text("name"), values.text("workFolder"), values.text("strategy"))
                    .fileEdges(values.flag("fileEdges"))
                    .isolated(values.flag("isolated"))
                    .profile(values.text("profile"))
                    .nodes(Integer.parseInt(values.text("nodes")), node(values))
                    .background(values.text("background"), Long.parseLong(values.text("seed")))
                    .cap(Integer.parseInt(values.text("cap")))
                    .keepGoing(values.flag("keepGoing"))
                    .outputPatience(Integer.parseInt(values.text("outputPatience")))
                    .on(
                            local
                                    ? Placement.LOCAL
                                    : new Placement(values.text("on"), values.list("options"), sites(values)))
                    .times(times(values))
                    // Journals of earlier releases must replay unchanged.
                    .brief((int) values.number("brief", 0))
                    .ample(values.has("ample") && values.flag("ample"))
                    .hold(values.number("hold", 0))
                    .perRun(named(values, "runResources"))
                    .growth(new MemoryGrowth(
                            (int) values.number("memoryGrowthPercent", MemoryGrowth.NONE.percent()),
                            values.number("memoryMost", 0)))
                    .limits(limits(values))
                    .pools(Pools.of(values.list("pools").stream()
                            .map(text -> Pool.parse(text, Integer.MAX_VALUE))
                            .toList()))
                    .build();
        } catch (NumberFormatException e) {
            throw new InputException("not a number: " + e.getMessage());
        }
    }

    /** Runs of earlier releases have neither memory nor GPUs. */
    private static Resources node(FlatJson values) {
        int cores = Integer.parseInt(values.text("coresPerNode"));
        return Resources.node(cores, values.number("memoryPerNode", 0), (int) values.number("gpusPerNode", 0))
                .named(named(values, "nodeResources"));
    }

    /** Runs on a batch system of this machine have none. */
    private static List<Site> sites(FlatJson values) {
        return values.values().keySet().stream()
                .filter(key -> key.startsWith(SITE))
                .map(key -> Site.read(key.substring(SITE.length()), values.list(key)))
                .toList();
    }

    private static int version(FlatJson values) {
        String text = values.text("version");
        int version = text.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(text) : 0;
        if (version < LOCAL_ONLY || version > VERSION) {
            throw new InputException("a run of version " + text + "; this Sheaf reads versions up to " + VERSION);
        }
        return version;
    }

    private static String content(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES || !Files.isRegularFile(file)) {
                throw new InputException("damaged: a specification is a file of at most " + MAX_BYTES + " bytes");
            }
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new InputException("damaged: not UTF-8 text");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void checkSum(String content) {
        int at = content.lastIndexOf(CHECKSUM);
        if (at >= 0 && !content.substring(at).equals(CHECKSUM + checksum(content.substring(0, at)) + "\"}\n")) {
            throw new InputException("damaged: its checksum does not match its content");
        }
    }

    private static String checksum(String text) {
        CRC32C sum = new CRC32C();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", sum.getValue());
    }

    /** Runs of earlier releases have no limits. */
    private static JobLimits limits(FlatJson values) {
        return values.has("maxTime")
                ? new JobLimits(Integer.parseInt(values.text("maxNodes")), Long.parseLong(values.text("maxTime")))
                        .unitTime(values.number("maxNodeTime", Long.MAX_VALUE))
                : JobLimits.NONE;
    }

    /** The rule for run times; runs of earlier releases do not have it. */
    private static ExpectedRunTimes.HistoryRule times(FlatJson values) {
        return values.has("timeQuantile")
                ? new ExpectedRunTimes.HistoryRule(
                        values.flag("timesFromHistory"), Double.parseDouble(values.text("timeQuantile")))
                : ExpectedRunTimes.HistoryRule.DEFAULT;
    }
}
