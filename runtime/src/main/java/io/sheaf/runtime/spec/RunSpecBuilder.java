package io.sheaf.runtime.spec;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.manager.MemoryGrowth;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.nio.file.Path;

/**
 * A builder of {@link RunSpec}. Defaults: an embedded cluster of one node without background jobs, and a run that
 * ends at the first failure.
 */
public final class RunSpecBuilder {
    /**
     * A brief task waits at most about this long for a core while others are free. It saves the latency to the
     * manager, a few tens of milliseconds.
     */
    private static final int BRIEF_MILLIS = 500;

    /** File systems of clusters show files of other nodes within seconds; after a minute they count as missing. */
    private static final int OUTPUT_TIMEOUT_MILLIS = 60_000;

    private static final int CAP = 16;

    private final String id;
    private final String name;
    private String workFolder;
    private final String strategy;
    private boolean fileEdges;
    private boolean isolated;
    private String profile = "own";
    private int nodes = 1;
    private Resources node = Resources.node(1, 0, 0);
    private String background = "";
    private long seed;
    private int cap = CAP;
    private boolean keepGoing;
    private int outputPatience = OUTPUT_TIMEOUT_MILLIS;
    private Placement where = Placement.LOCAL;
    private ExpectedRunTimes.HistoryRule times = ExpectedRunTimes.HistoryRule.DEFAULT;
    private int brief = BRIEF_MILLIS;
    private boolean ample;
    private long hold;
    private NamedAmounts perRun = NamedAmounts.NONE;
    private MemoryGrowth growth = MemoryGrowth.NONE;
    private JobLimits limits = JobLimits.NONE;
    private Pools pools = Pools.NONE;

    /**
     * A builder for a new run.
     *
     * @param id identifies the run in the environment of its processes
     * @param name of the workflow
     * @param workFolder where tasks run
     */
    public RunSpecBuilder(String id, String name, Path workFolder, String strategy) {
        this(id, name, workFolder.toString(), strategy);
    }

    RunSpecBuilder(String id, String name, String workFolder, String strategy) {
        this.id = id;
        this.name = name;
        this.workFolder = workFolder;
        this.strategy = strategy;
    }

    /** A builder that starts with the values of another specification. */
    public RunSpecBuilder(RunSpec spec) {
        this(spec.id(), spec.name(), spec.workFolder(), spec.strategy());
        fileEdges = spec.fileEdges();
        isolated = spec.isolated();
        profile = spec.profile();
        nodes = spec.nodes();
        node = spec.node();
        background = spec.background();
        seed = spec.seed();
        cap = spec.cap();
        keepGoing = spec.keepGoing();
        outputPatience = spec.outputPatience();
        where = spec.where();
        times = spec.times();
        brief = spec.brief();
        ample = spec.ample();
        hold = spec.hold();
        perRun = spec.perRun();
        growth = spec.growth();
        limits = spec.limits();
        pools = spec.pools();
    }

    RunSpecBuilder workFolder(String folder) {
        workFolder = folder;
        return this;
    }

    /** Whether tasks depend on each other by the files that they read and write. */
    public RunSpecBuilder fileEdges(boolean value) {
        fileEdges = value;
        return this;
    }

    /** Whether each attempt runs in a folder of its own. */
    public RunSpecBuilder isolated(boolean value) {
        isolated = value;
        return this;
    }

    public RunSpecBuilder profile(String value) {
        profile = value;
        return this;
    }

    /** The node pools of pilot jobs. */
    public RunSpecBuilder pools(Pools value) {
        pools = value;
        return this;
    }

    /** The limits of a pilot job. */
    public RunSpecBuilder limits(JobLimits value) {
        limits = value;
        return this;
    }

    /** The maximum number of nodes of a pilot job, and the cores of each. */
    public RunSpecBuilder nodes(int count, int cores) {
        return nodes(count, node.cores(cores));
    }

    /** The maximum number of nodes of a pilot job, and the resources of each for tasks. */
    public RunSpecBuilder nodes(int count, Resources each) {
        nodes = count;
        node = each;
        return this;
    }

    /** Background jobs, generated from a seed. */
    public RunSpecBuilder background(String model, long randomSeed) {
        background = model;
        seed = randomSeed;
        return this;
    }

    /** The maximum number of pilot jobs at once. */
    public RunSpecBuilder cap(int jobs) {
        cap = jobs;
        return this;
    }

    public RunSpecBuilder keepGoing(boolean value) {
        keepGoing = value;
        return this;
    }

    /** How long to wait for outputs. */
    public RunSpecBuilder outputPatience(int millis) {
        outputPatience = millis;
        return this;
    }

    /** Where its pilot jobs run. */
    public RunSpecBuilder on(Placement system) {
        where = system;
        return this;
    }

    /** Which run times come from earlier runs. */
    public RunSpecBuilder times(ExpectedRunTimes.HistoryRule rule) {
        times = rule;
        return this;
    }

    /** The maximum run time of tasks that may be sent to an agent before it has a free core. */
    RunSpecBuilder brief(int millis) {
        brief = millis;
        return this;
    }

    /** Whether run times are users' limits instead of expected values. */
    public RunSpecBuilder ample(boolean value) {
        ample = value;
        return this;
    }

    /** The maximum time to keep idle nodes while more tasks are expected. */
    public RunSpecBuilder hold(long millis) {
        hold = millis;
        return this;
    }

    /** Limits of named resources for the whole run. */
    public RunSpecBuilder perRun(NamedAmounts value) {
        perRun = value;
        return this;
    }

    /** How memory requests grow after an out-of-memory kill. */
    public RunSpecBuilder growth(MemoryGrowth rule) {
        growth = rule;
        return this;
    }

    public RunSpec build() {
        return new RunSpec(
                id,
                name,
                workFolder,
                fileEdges,
                isolated,
                strategy,
                profile,
                nodes,
                node,
                background,
                seed,
                cap,
                keepGoing,
                outputPatience,
                where,
                times,
                brief,
                ample,
                hold,
                perRun,
                growth,
                limits,
                pools);
    }
}
