package io.sheaf.agent;

import io.sheaf.agent.protocol.Needs;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The cores and graphics processors of a node, and which of them are free. */
final class NodeResources {

    /** What a task has got: numbers of cores from 0, and ids of graphics processors. */
    record Share(List<Integer> cores, List<String> gpus) {}

    private final int cores;
    private final List<String> gpus;
    private final BitSet freeCores = new BitSet();
    private final List<String> freeGpus;

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
        return needs.cores() <= freeCores.cardinality() && needs.gpus() <= freeGpus.size();
    }

    /** Takes the lowest free ones: neighbouring cores share caches. */
    Share take(Needs needs) {
        List<Integer> takenCores = new ArrayList<>(needs.cores());
        for (int i = 0; i < needs.cores(); i++) {
            int core = freeCores.nextSetBit(0);
            freeCores.clear(core);
            takenCores.add(core);
        }
        List<String> some = freeGpus.subList(0, needs.gpus());
        List<String> takenGpus = List.copyOf(some);
        some.clear();
        return new Share(takenCores, takenGpus);
    }

    void release(Share share) {
        share.cores().forEach(freeCores::set);
        freeGpus.addAll(share.gpus());
    }
}
