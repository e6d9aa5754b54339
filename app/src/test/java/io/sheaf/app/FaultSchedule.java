package io.sheaf.app;

import io.sheaf.agent.link.ServerSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * The faults of a run and their times, which follow from a seed.
 *
 * @param strategy of the run
 * @param width number of parallel tasks
 * @param faults in the order of their instants
 */
record FaultSchedule(long seed, String strategy, int width, List<Fault> faults) {
    private static final List<String> STRATEGIES = List.of("auto", "onejob", "levelbylevel", "onejobpertask", "glume");
    private static final int MAX_FAULTS = 9;
    private static final int MAX_GAP_MILLIS = 1_800;
    /** Schedules of smaller seeds have no changes of the clock, so that published schedules stay the same. */
    private static final long CLOCK_SEEDS = 1_000;
    /** From this seed on, every second pause is longer than the time after which a silent peer counts as lost. */
    private static final long LONG_PAUSE_SEEDS = 4_000;

    /** Where a fault can happen. */
    enum Where {
        ANYWHERE,
        BATCH,
        SLURM
    }

    /** A kind of fault. */
    enum Kind {
        /** SIGKILL of the manager; a new one starts after a while. */
        KILL_MANAGER(Where.ANYWHERE, 5),
        /** SIGTERM of the manager; a new one starts after a while. */
        INTERRUPT_MANAGER(Where.ANYWHERE, 1),
        /** SIGKILL of an agent. */
        KILL_AGENT(Where.ANYWHERE, 5),
        /** SIGKILL of all agents and of the manager, as if the machine failed. */
        KILL_ALL(Where.ANYWHERE, 2),
        /** SIGKILL of a process of a task. */
        KILL_TASK(Where.ANYWHERE, 2),
        /** SIGSTOP of the manager, then SIGCONT. */
        PAUSE_MANAGER(Where.ANYWHERE, 2),
        /** SIGSTOP of an agent, then SIGCONT. */
        PAUSE_AGENT(Where.ANYWHERE, 3),
        /** A second manager takes over the lease of one that is stopped and then continues. */
        TAKE_OVER(Where.ANYWHERE, 2),
        /** The file system of the run folder is full for a while. */
        FULL_DISK(Where.ANYWHERE, 2),
        /** The run folder is read-only for a while, for files that are not open yet. */
        READ_ONLY(Where.ANYWHERE, 1),
        /** The newest bytes of the journal are lost together with the manager. */
        LOST_BYTES(Where.ANYWHERE, 1),
        /** A byte of a file of the run folder is changed while a manager starts, and then restored. */
        FLIPPED_BYTE(Where.ANYWHERE, 2),
        /** The clock of the manager, and on the embedded cluster of the agents, is set forward or back by up to two hours. */
        CLOCK_JUMP(Where.ANYWHERE, 4),
        /** The replies to the next commands of the batch system are lost, although the commands take effect. */
        LOST_REPLY(Where.BATCH, 4),
        /** The next commands of the batch system fail without effect. */
        NO_ANSWER(Where.BATCH, 3),
        /** The replies to the next commands of the batch system are late. */
        LATE_REPLY(Where.BATCH, 2),
        /** The batch system prints its queue as random bytes. */
        GARBAGE(Where.BATCH, 2),
        /** Another user cancels a job of the run. */
        CANCELLED_JOB(Where.BATCH, 3),
        /** The controller stops and starts again. */
        CONTROLLER_DOWN(Where.SLURM, 2),
        /** The daemon of a node is killed and started again. */
        NODE_DOWN(Where.SLURM, 1);

        private final Where where;
        private final int weight;

        Kind(Where where, int weight) {
            this.where = where;
            this.weight = weight;
        }
    }

    /**
     * One fault.
     *
     * @param afterMillis the time since the fault before it, or since the start of the run
     * @param millis its duration, if it has one
     * @param draw selects the process, file or byte that it affects
     */
    record Fault(Kind kind, int afterMillis, int millis, int draw) {
        @Override
        public String toString() {
            return kind + " after " + afterMillis + " ms for " + millis + " ms (" + draw + ")";
        }
    }

    /** The schedule of a seed on the embedded cluster, a batch system, or Slurm. */
    static FaultSchedule of(long seed, Where where) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
        List<Kind> kinds = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (kind == Kind.CLOCK_JUMP && seed < CLOCK_SEEDS) {
                continue;
            }
            for (int i = 0; kind.where.compareTo(where) <= 0 && i < kind.weight; i++) {
                kinds.add(kind);
            }
        }
        String strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
        int width = 4 + random.nextInt(7);
        List<Fault> faults = new ArrayList<>();
        int count = 3 + random.nextInt(MAX_FAULTS - 2);
        for (int i = 0; i < count; i++) {
            Kind kind = kinds.get(random.nextInt(kinds.size()));
            int afterMillis = random.nextInt(MAX_GAP_MILLIS);
            int millis = 200 + random.nextInt(4_000);
            int draw = random.nextInt(1 << 20);
            boolean longPause = seed >= LONG_PAUSE_SEEDS
                    && draw % 2 == 1
                    && (kind == Kind.PAUSE_MANAGER || kind == Kind.PAUSE_AGENT);
            faults.add(
                    new Fault(kind, afterMillis, longPause ? ServerSettings.QUIET_MILLIS + 2 * millis : millis, draw));
        }
        return new FaultSchedule(seed, strategy, width, faults);
    }

    boolean has(Kind kind) {
        return faults.stream().anyMatch(fault -> fault.kind == kind);
    }

    /** The schedule without one fault; the others happen at the same instants as before. */
    FaultSchedule without(int index) {
        List<Fault> remaining = new ArrayList<>(faults);
        Fault removed = remaining.remove(index);
        if (index < remaining.size()) {
            Fault next = remaining.get(index);
            remaining.set(index, new Fault(next.kind, next.afterMillis + removed.afterMillis, next.millis, next.draw));
        }
        return new FaultSchedule(seed, strategy, width, remaining);
    }

    /** Runs a schedule and checks whether it violates a guarantee. */
    interface Trial {
        boolean violates(FaultSchedule schedule) throws IOException, InterruptedException;
    }

    /**
     * Removes faults, from the last to the first, if the remaining ones still violate a guarantee in one of the
     * replays.
     */
    FaultSchedule shrunk(int replays, Trial trial) throws IOException, InterruptedException {
        FaultSchedule smallest = this;
        for (int i = faults.size() - 1; i >= 0; i--) {
            FaultSchedule less = smallest.without(i);
            for (int replay = 0; replay < replays; replay++) {
                if (trial.violates(less)) {
                    smallest = less;
                    break;
                }
            }
        }
        return smallest;
    }

    @Override
    public String toString() {
        return "seed " + seed + ", " + strategy + ", " + width + " tasks side by side:\n  "
                + faults.stream().map(Fault::toString).collect(Collectors.joining("\n  "));
    }
}
