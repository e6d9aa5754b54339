package io.sheaf.batch;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The node pools of a cluster, numbered from 1. Number 0 is any node of the cluster. Immutable.
 *
 * <p>Pools may share nodes. The nodes that belong to the same pools form a <em>cell</em>; a job of a pool takes nodes of its cells in the order of
 * their first nodes, as Slurm takes nodes of equal weight.
 */
public final class Pools {
    /** The number of any node. */
    public static final int ANY = 0;

    /** A cluster without pools. */
    public static final Pools NONE = new Pools(List.of());

    private final List<Pool> pools;
    final int[] cells;
    /** For each number the cells of its pool, in the order in which they are taken. */
    final int[][] cellsOf;

    private final int[] sizes;
    private final boolean limitsJobs;
    /** What a node must have for every task of a run; null if no pool has less. */
    private final @Nullable Resources defaultNode;

    private Pools(List<Pool> all) {
        this(all, null);
    }

    private Pools(List<Pool> all, @Nullable Resources defaultNode) {
        pools = List.copyOf(all);
        this.defaultNode = defaultNode != null && isChoice(all, defaultNode) ? defaultNode : null;
        limitsJobs = pools.stream().anyMatch(pool -> pool.jobs() < Integer.MAX_VALUE);
        Map<BitSet, BitSet> byPools = new LinkedHashMap<>();
        BitSet nodes = new BitSet();
        pools.forEach(pool -> nodes.or(pool.nodes()));
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            BitSet of = new BitSet();
            for (int p = 0; p < pools.size(); p++) {
                of.set(p, pools.get(p).nodes().get(node));
            }
            byPools.computeIfAbsent(of, each -> new BitSet()).set(node);
        }
        List<BitSet> of = new ArrayList<>(byPools.keySet());
        cells = byPools.values().stream().mapToInt(BitSet::cardinality).toArray();
        cellsOf = new int[pools.size() + 1][];
        sizes = new int[pools.size() + 1];
        for (int number = 0; number < cellsOf.length; number++) {
            int pool = number - 1;
            cellsOf[number] = IntStream.range(0, cells.length)
                    .filter(cell -> pool < 0 || of.get(cell).get(pool))
                    .toArray();
            for (int cell : cellsOf[number]) {
                sizes[number] += cells[cell];
            }
        }
    }

    /** Whether some pools, but not all, have this; without those that are only another user's. */
    private static boolean isChoice(List<Pool> all, Resources defaultNode) {
        List<Pool> own = all.stream()
                .filter(pool -> pool.node() != null || pool.jobs() > 0)
                .toList();
        return own.stream().anyMatch(pool -> pool.has(defaultNode))
                && !own.stream().allMatch(pool -> pool.has(defaultNode));
    }

    /** Whether nodes differ and no pool has what each task of a run needs. */
    public boolean areEachTooSmall(Resources node) {
        return areUnequal()
                && pools.stream()
                        .filter(pool -> pool.node() != null || pool.jobs() > 0)
                        .noneMatch(pool -> pool.has(node));
    }

    /** The pools of a cluster; none if there is only one without a name. */
    public static Pools of(List<Pool> all) {
        return all.isEmpty() ? NONE : new Pools(all);
    }

    /**
     * Parses the pools of a cluster, separated by {@code +}, as in {@code left=1-60+right=41-100,time=4h}.
     *
     * @param nodes of the cluster
     */
    public static Pools parse(String text, int nodes) {
        List<Pool> all = new ArrayList<>();
        for (String each : text.split("\\+", -1)) {
            Pool pool = Pool.parse(each, nodes);
            if (all.stream().anyMatch(other -> other.name().equals(pool.name()))) {
                throw new InputException("there are two pools '" + pool.name() + "'; give each another name");
            }
            all.add(pool);
        }
        return of(all);
    }

    /**
     * These pools without those that have as many jobs of the user as they allow; all of them if no other is left.
     *
     * @param jobs the user's jobs by pool number
     */
    public Pools open(int[] jobs) {
        List<Pool> open = new ArrayList<>(pools);
        boolean any = false;
        for (int number = 1; number <= pools.size(); number++) {
            boolean full = jobs[number] >= pool(number).jobs();
            open.set(number - 1, full ? pool(number).closed() : pool(number));
            any |= !full;
        }
        return !any || open.equals(pools) ? this : new Pools(open, defaultNode);
    }

    /**
     * The pools as a run plans with them: in preemptible ones jobs are so short that they probably end before they are preempted. Tasks that are
     * longer run in the others. If all are preemptible, nothing changes.
     */
    public Pools planned() {
        boolean preemptible = pools.stream().anyMatch(Pool::isPreemptible);
        boolean all = pools.stream().allMatch(pool -> pool.isPreemptible() || pool.jobs() == 0);
        return !preemptible || all
                ? this
                : new Pools(pools.stream().map(Pool::planned).toList(), defaultNode);
    }

    /** These pools if jobs of one are preempted after this mean time, in milliseconds. */
    public Pools preemptedAfter(int number, long mean) {
        List<Pool> changed = new ArrayList<>(pools);
        changed.set(number - 1, pool(number).preemptedAfter(mean));
        return new Pools(changed, defaultNode);
    }

    /** These pools with limits that are changed by a function. */
    public Pools limited(UnaryOperator<JobLimits> change) {
        return new Pools(
                pools.stream()
                        .map(pool -> pool.limited(change.apply(pool.limits())))
                        .toList(),
                defaultNode);
    }

    /** These pools for a run whose tasks all fit on such a node. Jobs that may run any task go to pools whose nodes have as much, if there are any. */
    public Pools on(Resources node) {
        return pools.isEmpty() ? this : new Pools(pools, node);
    }

    /** Whether nodes differ between pools. */
    public boolean areUnequal() {
        return pools.stream().anyMatch(pool -> pool.node() != null);
    }

    /** Whether the nodes of a pool may have less than some task needs. */
    public boolean isLesser(int number) {
        return number != ANY && defaultNode != null && !pool(number).has(defaultNode);
    }

    /** Whether nodes of a pool have at least what those of another have; {@link #ANY} is what every task fits on. */
    public boolean hasAsMuch(int number, int other) {
        Resources otherNode = other == ANY ? defaultNode : pool(other).node();
        return number == other
                || number == ANY
                || otherNode == null
                || pool(number).has(otherNode);
    }

    /** Whether a pool limits the number of jobs. */
    public boolean limitJobs() {
        return limitsJobs;
    }

    public int count() {
        return pools.size();
    }

    /** The pool of a number, from 1. */
    public Pool pool(int number) {
        return pools.get(number - 1);
    }

    public List<Pool> all() {
        return pools;
    }

    /** The name of the pool of a number; empty for any. */
    public String name(int number) {
        return number == ANY ? "" : pool(number).name();
    }

    /** The nodes of a pool, or of all. */
    int size(int number) {
        return sizes[number];
    }

    /** The number of different nodes; 0 without pools. */
    public int nodes() {
        return sizes[ANY];
    }

    /** Whether a job is within a pool and its limits; never without a pool. */
    public boolean allows(int number, int units, long walltime) {
        return number != ANY && pool(number).allows(units, walltime);
    }

    /** The maximum number of nodes of a job; 0 without pools. */
    public int maxNodes() {
        return open().mapToInt(pool -> Math.min(pool.size(), pool.limits().units()))
                .max()
                .orElse(0);
    }

    /** The pools that a job for any task may be submitted to. */
    private Stream<Pool> open() {
        return pools.stream().filter(pool -> pool.jobs() > 0 && (defaultNode == null || pool.has(defaultNode)));
    }

    /** The maximum walltime of a job of some nodes, in milliseconds; {@link Long#MAX_VALUE} without pools, 0 if no pool allows it. */
    public long walltime(int nodes) {
        long max = pools.isEmpty() ? Long.MAX_VALUE : 0;
        for (int number = 1; number <= pools.size(); number++) {
            boolean possible = allows(number, nodes, 1) && !isLesser(number);
            max = possible ? Math.max(max, pool(number).limits().walltime(nodes)) : max;
        }
        return max;
    }

    /** The limits of a job in the pool that allows most of each. */
    public JobLimits largest() {
        return new JobLimits(Math.max(1, maxNodes()), Math.max(1, walltime(1))).unitTime(unitTime());
    }

    /** The maximum of nodes × walltime of a job, in milliseconds; {@link Long#MAX_VALUE} if a pool does not limit it. */
    public long unitTime() {
        return pools.isEmpty()
                ? Long.MAX_VALUE
                : open().mapToLong(pool -> pool.limits().unitTime()).max().orElse(1);
    }

    /**
     * The pool of a job of a log: one of those that allow it, or of all if none does, drawn with the weights of their loads. Equal arguments have the
     * same pool.
     *
     * @param draw identifies the job
     */
    public int drawn(long draw, int units, long walltime) {
        double sum = 0;
        boolean any = true;
        for (int round = 0; round < 2 && sum == 0; round++) {
            any = round == 1;
            for (Pool pool : pools) {
                sum += any || pool.fits(units, walltime) ? pool.load() : 0;
            }
        }
        double remaining = unit(draw) * sum;
        int last = ANY;
        for (int number = 1; number <= pools.size(); number++) {
            Pool pool = pool(number);
            if (pool.load() > 0 && (any || pool.fits(units, walltime))) {
                last = number;
                remaining -= pool.load();
                if (remaining < 0) {
                    break;
                }
            }
        }
        return last;
    }

    /** A number in [0, 1) from the bits of another. */
    private static double unit(long draw) {
        long bits = (draw ^ (draw >>> 30)) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
        return ((bits ^ (bits >>> 31)) >>> 11) * 0x1.0p-53;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Pools that && that.pools.equals(pools);
    }

    @Override
    public int hashCode() {
        return pools.hashCode();
    }

    @Override
    public String toString() {
        return pools.toString();
    }
}
