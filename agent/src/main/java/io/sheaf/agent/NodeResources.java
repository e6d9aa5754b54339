package io.sheaf.agent;

import io.sheaf.agent.protocol.Needs;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The cores and GPUs of a node, and which of them are free. A core runs one task, or several that share it. */
final class NodeResources {

    /**
     * What a task has got: numbers of cores from 0, and ids of graphics processors.
     *
     * @param part what it has of its only core, in thousandths; 0 if it has whole ones
     * @param sharedCore the number under which it shares that one
     */
    record Share(List<Integer> cores, List<String> gpus, int part, int sharedCore) {}

    /** A core that tasks share, and how much of it they have. */
    private record SharedCore(int core, int used) {}

    private final int cores;
    private final List<String> gpus;
    private final BitSet freeCores = new BitSet();
    private final List<String> freeGpus;
    /** By the numbers under which tasks share them. */
    private final Map<Integer, SharedCore> shared = new HashMap<>();

    NodeResources(int cores, List<String> gpus) {
        this.cores = cores;
        this.gpus = gpus;
        freeCores.set(0, cores);
        freeGpus = new ArrayList<>(gpus);
    }

    /** Why a task can never run here, or an empty text. */
    String refusal(Needs needs) {
        if (needs.cores() > cores) {
            return "it needs " + needs.cores() + " cores, this node has " + cores;
        }
        if (needs.gpus() > gpus.size()) {
            return "it needs " + needs.gpus() + " gpus, this node has " + gpus.size();
        }
        return "";
    }

    boolean fits(Needs needs) {
        SharedCore sharedCore = needs.isShare() ? shared.get(needs.sharedCore()) : null;
        boolean core = sharedCore == null
                ? needs.cores() <= freeCores.cardinality()
                : sharedCore.used + needs.share() <= Needs.CORE;
        return core && needs.gpus() <= freeGpus.size();
    }

    /** Takes the lowest free ones: neighbouring cores share caches. */
    Share take(Needs needs) {
        List<String> gpus = freeGpus.subList(0, needs.gpus());
        List<String> allocatedGpus = List.copyOf(gpus);
        gpus.clear();
        if (needs.isShare()) {
            SharedCore sharedCore = shared.get(needs.sharedCore());
            int core = sharedCore == null ? lowest() : sharedCore.core;
            int used = sharedCore == null ? 0 : sharedCore.used;
            shared.put(needs.sharedCore(), new SharedCore(core, used + needs.share()));
            return new Share(List.of(core), allocatedGpus, needs.share(), needs.sharedCore());
        }
        List<Integer> allocatedCores = new ArrayList<>(needs.cores());
        for (int i = 0; i < needs.cores(); i++) {
            allocatedCores.add(lowest());
        }
        return new Share(allocatedCores, allocatedGpus, 0, 0);
    }

    private int lowest() {
        int core = freeCores.nextSetBit(0);
        freeCores.clear(core);
        return core;
    }

    void release(Share share) {
        freeGpus.addAll(share.gpus());
        SharedCore sharedCore = share.part() > 0 ? shared.get(share.sharedCore()) : null;
        if (sharedCore != null && sharedCore.used > share.part()) {
            shared.put(share.sharedCore(), new SharedCore(sharedCore.core, sharedCore.used - share.part()));
            return;
        }
        if (sharedCore != null) {
            shared.remove(share.sharedCore());
        }
        share.cores().forEach(freeCores::set);
    }
}
