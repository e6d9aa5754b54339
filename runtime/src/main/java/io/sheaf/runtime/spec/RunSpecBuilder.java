package io.sheaf.runtime.spec;

import io.sheaf.predict.TimesInUse;
import java.nio.file.Path;

/** Puts a {@link RunSpec} together; what is not said is as on an embedded cluster of one node without others, whose run ends at the first failure. */
public final class RunSpecBuilder {
    /** A task that waits for a core may do so for about this long while others are free, and saves the way to the manager, a few hundredths of a second. */
    private static final int BRIEF_MILLIS = 500;

    /** File systems of clusters show what another node wrote within seconds; after a minute something is wrong. */
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
    private TimesInUse.Rule times = TimesInUse.Rule.DEFAULT;
    private int brief = BRIEF_MILLIS;
    private boolean ample;
    private long hold;

    /**
     * One of a new run.
     *
     * @param id names the run in the environment of its processes
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

    /** One that begins with what another says. */
    RunSpecBuilder(RunSpec like) {
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
    }

    RunSpecBuilder workFolder(String folder) {
        workFolder = folder;
        return this;
    }

    /** Whether tasks depend on each other by the files that they read and write. */
    public RunSpecBuilder fileEdges(boolean told) {
        fileEdges = told;
        return this;
    }

    /** Whether each attempt runs in a folder of its own. */
    public RunSpecBuilder isolated(boolean told) {
        isolated = told;
        return this;
    }

    public RunSpecBuilder profile(String named) {
        profile = named;
        return this;
    }

    /** The nodes of a pilot job at most, and what each of them has. */
    public RunSpecBuilder nodes(int count, int cores) {
        nodes = count;
        coresPerNode = cores;
        return this;
    }

    public RunSpecBuilder gpusPerNode(int count) {
        gpusPerNode = count;
        return this;
    }

    /** Jobs of others, drawn from a seed. */
    public RunSpecBuilder background(String others, long drawnFrom) {
        background = others;
        seed = drawnFrom;
        return this;
    }

    /** The most pilot jobs at once. */
    public RunSpecBuilder cap(int most) {
        cap = most;
        return this;
    }

    public RunSpecBuilder keepGoing(boolean told) {
        keepGoing = told;
        return this;
    }

    /** How long outputs are awaited. */
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
    public RunSpecBuilder times(TimesInUse.Rule rule) {
        times = rule;
        return this;
    }

    /** Tasks that take no longer may be given to an agent before it has a core for them. */
    RunSpecBuilder brief(int millis) {
        brief = millis;
        return this;
    }

    /** Whether the times of tasks are what a user allows for, and not what is expected. */
    public RunSpecBuilder ample(boolean told) {
        ample = told;
        return this;
    }

    /** How long nodes that have nothing to do are kept at most while more tasks are likely to come. */
    public RunSpecBuilder hold(long millis) {
        hold = millis;
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
                hold);
    }
}
