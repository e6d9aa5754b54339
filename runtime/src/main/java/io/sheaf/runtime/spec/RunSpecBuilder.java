package io.sheaf.runtime.spec;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.manager.MemoryGrowth;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.workflow.NamedAmounts;
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
    private static final int PATIENCE_MILLIS = 60_000;

    private static final int CAP = 16;

    private final String id;
    private final String name;
    private String workFolder;
    private final String strategy;
    private boolean fileEdges;
    private boolean isolated;
    private String profile = "own";
    private int nodes = 1;
    private int coresPerNode = 1;
    private int gpusPerNode;
    private String background = "";
    private long seed;
    private int cap = CAP;
    private boolean keepGoing;
    private int outputPatience = PATIENCE_MILLIS;
    private Placement where = Placement.LOCAL;
    private ExpectedRunTimes.Rule times = ExpectedRunTimes.Rule.DEFAULT;
    private int brief = BRIEF_MILLIS;
    private boolean ample;
    private long hold;
    private long memoryPerNode;
    private NamedAmounts named = NamedAmounts.NONE;
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
    public RunSpecBuilder(RunSpec like) {
        this(like.id(), like.name(), like.workFolder(), like.strategy());
        fileEdges = like.fileEdges();
        isolated = like.isolated();
        profile = like.profile();
        nodes = like.nodes();
        coresPerNode = like.coresPerNode();
        gpusPerNode = like.gpusPerNode();
        background = like.background();
        seed = like.seed();
        cap = like.cap();
        keepGoing = like.keepGoing();
        outputPatience = like.outputPatience();
        where = like.where();
        times = like.times();
        brief = like.brief();
        ample = like.ample();
        hold = like.hold();
        memoryPerNode = like.memoryPerNode();
        named = like.named();
        perRun = like.perRun();
        growth = like.growth();
        limits = like.limits();
        pools = like.pools();
    }

    RunSpecBuilder workFolder(String folder) {
        workFolder = folder;
        return this;
    }

    /** Whether tasks depend on each other by the files that they read and write. */
    public RunSpecBuilder fileEdges(boolean reported) {
        fileEdges = reported;
        return this;
    }

    /** Whether each attempt runs in a folder of its own. */
    public RunSpecBuilder isolated(boolean reported) {
        isolated = reported;
        return this;
    }

    public RunSpecBuilder profile(String named) {
        profile = named;
        return this;
    }

    /** The node pools of pilot jobs. */
    public RunSpecBuilder pools(Pools reported) {
        pools = reported;
        return this;
    }

    /** The limits of a pilot job. */
    public RunSpecBuilder limits(JobLimits reported) {
        limits = reported;
        return this;
    }

    /** The maximum number of nodes of a pilot job, and the cores of each. */
    public RunSpecBuilder nodes(int count, int cores) {
        nodes = count;
        coresPerNode = cores;
        return this;
    }

    public RunSpecBuilder gpusPerNode(int count) {
        gpusPerNode = count;
        return this;
    }

    /** Background jobs, generated from a seed. */
    public RunSpecBuilder background(String others, long drawnFrom) {
        background = others;
        seed = drawnFrom;
        return this;
    }

    /** The maximum number of pilot jobs at once. */
    public RunSpecBuilder cap(int most) {
        cap = most;
        return this;
    }

    public RunSpecBuilder keepGoing(boolean reported) {
        keepGoing = reported;
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
    public RunSpecBuilder times(ExpectedRunTimes.Rule rule) {
        times = rule;
        return this;
    }

    /** The maximum run time of tasks that may be sent to an agent before it has a free core. */
    RunSpecBuilder brief(int millis) {
        brief = millis;
        return this;
    }

    /** Whether run times are users' limits instead of expected values. */
    public RunSpecBuilder ample(boolean reported) {
        ample = reported;
        return this;
    }

    /** The maximum time to keep idle nodes while more tasks are expected. */
    public RunSpecBuilder hold(long millis) {
        hold = millis;
        return this;
    }

    /** Memory of a node for tasks, in bytes; 0: memory is not counted. */
    public RunSpecBuilder memoryPerNode(long bytes) {
        memoryPerNode = bytes;
        return this;
    }

    /** Limits of named resources on each node, and for the whole run. */
    public RunSpecBuilder named(NamedAmounts onANode, NamedAmounts inTheRun) {
        named = onANode;
        perRun = inTheRun;
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
                coresPerNode,
                gpusPerNode,
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
                memoryPerNode,
                named,
                perRun,
                growth,
                limits,
                pools);
    }
}
