package io.sheaf.slurm.whatif;

import io.sheaf.batch.Pool;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of nodes and of jobs, in bytes, where Slurm counts memory as a consumable resource, empty where it does not; and the GPUs of jobs.
 *
 * @param ofNodes by host
 * @param hosts what each host has for tasks, also where memory is not counted
 * @param ofJobs on all nodes of a job together, by its number
 * @param gpus that a job needs on each of its nodes, by its number
 */
record SlurmMemory(
        Map<String, Long> ofNodes, Map<Long, Long> ofJobs, Map<String, Resources> hosts, Map<Long, Resources> gpus) {
    static final SlurmMemory UNCOUNTED = new SlurmMemory(Map.of(), Map.of(), Map.of(), Map.of());

    /** The fields of {@code squeue -O} that are parsed here. */
    static final String FIELDS =
            "JobID:20,tres-alloc:400,tres-per-job:200,tres-per-node:200,tres-per-task:200,NumTasks:12";

    /** A GPU entry of a job: {@code gres/gpu:a100=2}, {@code gres:gpu:2}, {@code gres/gpu}. */
    private static final Pattern GPU =
            Pattern.compile("(?:^|[,/:])gpu(?::(?![0-9]+(?:,|$))([^:,=]+))?(?:[:=]([0-9]{1,6}))?(?=,|$)");

    /** The nodes of a job in {@code tres-alloc}. */
    private static final Pattern NODES = Pattern.compile("(?:^|,)node=([0-9]{1,6})");

    /** The places of {@code tres-per-node}, {@code tres-per-task} and {@code NumTasks}. */
    private static final int PER_NODE = 3;

    private static final int PER_TASK = 4;
    private static final int TASKS = 5;

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

    /** The cells of each job in the output of {@code squeue -a -h -O FIELDS}. */
    private static List<String[]> rows(String text) {
        return text.lines()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(cells -> cells.length > 1 && cells[0].matches("[0-9]{1,18}"))
                .toList();
    }

    /** Parses the memory in the output of {@code squeue -a -h -O FIELDS}: {@code 17 cpu=4,mem=8G,node=2 N/A N/A}. */
    static Map<Long, Long> jobs(String text) {
        Map<Long, Long> found = new HashMap<>();
        for (String[] cells : rows(text)) {
            int at = cells[1].indexOf("mem=");
            long bytes = at < 0 ? 0 : bytes(cells[1].substring(at + 4).replaceFirst(",.*", ""));
            if (bytes > 0) {
                found.put(Long.parseLong(cells[0]), bytes);
            }
        }
        return found;
    }

    /** Parses the GPUs in the same output: {@code 17 cpu=4,node=2,gres/gpu=4 gres:gpu:a100:4 N/A} are two on each node. */
    static Map<Long, Resources> gpus(String text) {
        Map<Long, Resources> found = new HashMap<>();
        for (String[] cells : rows(text)) {
            Matcher nodes = NODES.matcher(cells[1]);
            int width = nodes.find() ? Math.max(1, Integer.parseInt(nodes.group(1))) : 1;
            Resources needed = Resources.ONE_CORE;
            for (int i = 1; i < cells.length; i++) {
                int parts = i == PER_TASK && cells.length > TASKS && cells[TASKS].matches("[0-9]{1,6}")
                        ? Integer.parseInt(cells[TASKS])
                        : 1;
                needed = needed.most(onANode(cells[i], parts, i == PER_NODE ? 1 : width))
                        .memory(0);
            }
            if (needed.gpus() > 0) {
                found.put(Long.parseLong(cells[0]), needed);
            }
        }
        return found;
    }

    /** The generic resources and licences of a job without its GPUs. */
    static String withoutGpus(String extras) {
        return extras.replaceAll("(?:^|,)(?:gres[:/])?gpu[^,]*", "");
    }

    /** The GPUs on each of some nodes of a number of parts, such as tasks, with these GPUs each. */
    private static Resources onANode(String printed, int parts, int nodes) {
        int any = 0;
        int typed = 0;
        Map<String, Long> types = new HashMap<>();
        for (Matcher matcher = GPU.matcher(printed); matcher.find(); ) {
            int all = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
            int each = (int) (((long) all * parts + nodes - 1) / nodes);
            if (matcher.group(1) == null) {
                any += each;
            } else {
                typed += each;
                types.merge(NamedAmounts.GPU + matcher.group(1), (long) each, Long::sum);
            }
        }
        return new Resources(1, 0, Math.max(any, typed), 1, 0, NamedAmounts.of(types));
    }

    /** Whether a host has the GPUs that a job needs; true if unknown. */
    boolean hasGpus(String host, SlurmJob job) {
        Resources there = hosts.get(host);
        Resources needed = gpus.get(job.id());
        return there == null || needed == null || needed.excess(there) == null;
    }

    /** The part of a host's GPUs that a job with these GPUs on a node uses, of all or of one type; 0 if the host lacks them. */
    double gpuFill(String host, Resources needed) {
        Resources there = hosts.get(host);
        if (there == null || needed.excess(there) != null) {
            return 0;
        }
        double fill = (double) needed.gpus() / there.gpus();
        for (int i = 0; i < needed.named().size(); i++) {
            String type = needed.named().name(i);
            fill = Math.max(
                    fill, (double) needed.named().amount(i) / there.named().amount(type));
        }
        return fill;
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
