package io.sheaf.slurm.whatif;

import io.sheaf.batch.Pool;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.workflow.Resources;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory of nodes and of jobs, in bytes, where Slurm counts memory as a consumable resource; empty where it does not.
 *
 * @param ofNodes by host
 * @param hosts what each host has for tasks, also where memory is not counted
 * @param ofJobs on all nodes of a job together, by its number
 */
record SlurmMemory(Map<String, Long> ofNodes, Map<Long, Long> ofJobs, Map<String, Resources> hosts) {
    static final SlurmMemory UNCOUNTED = new SlurmMemory(Map.of(), Map.of(), Map.of());

    private static final long MIB = 1 << 20;

    /** Whether a configuration allocates memory to jobs: {@code CR_Core_Memory} and the like. */
    static boolean isCounted(Map<String, String> config) {
        return config.getOrDefault("SelectTypeParameters", "").contains("MEMORY");
    }

    /** The whole memory of hosts of which that for tasks is known. */
    static Map<String, Long> nodes(Map<String, Resources> hosts) {
        Map<String, Long> found = new HashMap<>();
        hosts.forEach((host, has) -> {
            if (has.countsMemory()) {
                found.put(host, has.memory() + PilotJobScript.AGENT_MIB * MIB);
            }
        });
        return found;
    }

    /** Whether a host has what a node of a pool has; true if unknown. */
    boolean has(String host, Pool pool) {
        Resources there = hosts.get(host);
        Resources least = pool.node();
        return there == null || least == null || least.excess(there) == null;
    }

    /** Parses the output of {@code squeue -a -h -O JobID,tres-alloc}: {@code 17 cpu=4,mem=8G,node=2}. */
    static Map<Long, Long> jobs(String text) {
        Map<Long, Long> found = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            String[] cells = line.strip().split("\\s+", -1);
            int at = cells.length == 2 ? cells[1].indexOf("mem=") : -1;
            if (at >= 0 && cells[0].matches("[0-9]{1,18}")) {
                String size = cells[1].substring(at + 4).replaceFirst(",.*", "");
                long bytes = bytes(size);
                if (bytes > 0) {
                    found.put(Long.parseLong(cells[0]), bytes);
                }
            }
        }
        return found;
    }

    /** Parses an amount such as {@code 8G}, {@code 1.50T} or {@code 512M}; MiB without a unit, 0 if it is none. */
    private static long bytes(String size) {
        if (!size.matches("[0-9]{1,12}([.][0-9]{1,6})?[KMGTP]?")) {
            return 0;
        }
        int unit = "KMGTP".indexOf(size.charAt(size.length() - 1));
        String digits = unit < 0 ? size : size.substring(0, size.length() - 1);
        return (long) (Double.parseDouble(digits) * Math.pow(1024, unit < 0 ? 2 : unit + 1));
    }

    /** The memory of a job on each of its nodes; 0 if unknown. */
    long perNode(SlurmJob job) {
        return ofJobs.getOrDefault(job.id(), 0L) / job.nodes();
    }

    /** The memory of a host; 0 if unknown. */
    long of(String host) {
        return ofNodes.getOrDefault(host, 0L);
    }
}
