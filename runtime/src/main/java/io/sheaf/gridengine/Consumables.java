package io.sheaf.gridengine;

import io.sheaf.batch.PoolMemory;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The consumable resources of a cluster that stand for memory and GPUs, from {@code qconf -sc}.
 *
 * <p>Sites choose which attribute they count, and whether a request is for each slot or for a whole job.
 *
 * @param memory null if memory is not counted
 * @param gpus null if GPUs are not counted
 */
record Consumables(@Nullable Consumable memory, @Nullable Consumable gpus) {
    /** The attributes in the order of preference; {@code h_vmem} is also a limit of the address space. */
    private static final List<String> MEMORY = List.of("mem_free", "virtual_free", "h_vmem", "h_rss", "s_vmem");

    private static final List<String> GPUS = List.of("gpu", "gpus", "ngpus", "num_gpus");

    /** What an agent's Java reserves of the address space, in MiB; it uses far less. */
    private static final int AGENT_SPACE_MIB = 1024;

    /**
     * A consumable.
     *
     * @param perJob whether a request is for a whole job instead of each slot
     */
    record Consumable(String name, boolean perJob) {}

    /**
     * The memory of all hosts together.
     *
     * @param name of the consumable; empty if memory is not counted
     * @param total in bytes
     */
    record MemoryPool(String name, boolean perJob, long total) {
        private static final MemoryPool UNCOUNTED = new MemoryPool("", false, 0);

        /** Reads what {@link #text} wrote. */
        static MemoryPool of(String text) {
            String[] cell = text.strip().split(" ", -1);
            return cell.length == 3 && cell[2].matches("[0-9]{1,18}")
                    ? new MemoryPool(cell[0], cell[1].equals("JOB"), Long.parseLong(cell[2]))
                    : UNCOUNTED;
        }

        String text() {
            return name + " " + (perJob ? "JOB" : "YES") + " " + total;
        }

        PoolMemory memory() {
            return total == 0 ? PoolMemory.UNCOUNTED : PoolMemory.shared(total);
        }

        /** The bytes that a job requests in total, from its request such as {@code 2G}; 0 if it is none. */
        long requested(String amount, int slots) {
            return total == 0 || amount.isEmpty() ? 0 : SizeText.bytes(amount) * (perJob ? 1 : slots);
        }
    }

    static Consumables parse(String printed) {
        return new Consumables(find(MEMORY, "MEMORY", printed), find(GPUS, "INT", printed));
    }

    private static @Nullable Consumable find(List<String> names, String type, String printed) {
        Consumable best = null;
        int place = names.size();
        for (String line : printed.lines().toList()) {
            String[] cell = line.strip().split("\\s+", -1);
            int at = cell.length < 6 ? -1 : names.indexOf(cell[0].toLowerCase(Locale.ROOT));
            boolean usable = at >= 0 && cell[2].equals(type) && !cell[4].equals("NO") && !cell[5].equals("NO");
            if (usable && at < place) {
                place = at;
                best = new Consumable(cell[0], cell[5].equals("JOB"));
            }
        }
        return best;
    }

    /** What a host has of a consumable, as {@code qconf -se} prints it, such as {@code h_vmem=64G}; null if it has none. */
    static @Nullable String amount(Consumable consumable, String printed) {
        String joined = printed.replaceAll("\\\\\\s*\n\\s*", "");
        return joined.lines()
                .filter(line -> line.startsWith("complex_values "))
                .flatMap(line ->
                        Stream.of(line.substring("complex_values".length()).split(",", -1)))
                .map(String::strip)
                .filter(value -> value.startsWith(consumable.name + "="))
                .map(value -> value.substring(consumable.name.length() + 1))
                .findFirst()
                .orElse(null);
    }

    /** MiB that a job requests on each node for the bytes of its tasks and for the agent; 0 if it requests none. */
    long mebibytes(long bytes) {
        if (memory == null || bytes == 0) {
            return 0;
        }
        int agent = memory.name.endsWith("vmem") ? AGENT_SPACE_MIB : PilotJobScript.AGENT_MIB;
        return ((bytes - 1) >> 20) + 1 + agent;
    }

    /** The requests of a job on nodes of {@code cores} slots, such as {@code h_vmem=2048M}; without what the user requests. */
    List<String> requests(Request request, int cores, List<String> ofTheUser) {
        List<String> all = new ArrayList<>();
        Consumable size = memory;
        long mebibytes = mebibytes(request.node().memory());
        if (size != null && mebibytes > 0 && !isIn(size, ofTheUser)) {
            long amount = size.perJob ? mebibytes * request.units() : (mebibytes + cores - 1) / cores;
            all.add(size.name + "=" + amount + "M");
        }
        Consumable cards = gpus;
        int count = request.node().gpus();
        if (cards != null && count > 0 && !isIn(cards, ofTheUser)) {
            if (!cards.perJob && count % cores > 0) {
                throw new InputException(count + " GPUs on nodes of " + cores + " slots: Grid Engine counts '"
                        + cards.name + "' for each slot; set --cores-per-node to a divisor of " + count);
            }
            all.add(cards.name + "=" + (cards.perJob ? count * request.units() : count / cores));
        }
        return all;
    }

    private static boolean isIn(Consumable consumable, List<String> requests) {
        return requests.stream().anyMatch(each -> ("," + each).contains("," + consumable.name + "="));
    }
}
