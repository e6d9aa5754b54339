package io.sheaf.gridengine;

import io.sheaf.runtime.batch.Nodes;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The available slots, and their layout in a parallel environment.
 *
 * @param ofHosts the slots of each queue on each host in service
 * @param hosts the names of these hosts
 * @param environment the parallel environment; empty for jobs of one slot
 * @param rule its allocation rule: a number of slots per host, or {@code $pe_slots}, {@code $fill_up},
 *     {@code $round_robin}
 * @param maxSlots the maximum slots of all its jobs together
 */
record QueueSlots(List<Integer> ofHosts, List<String> hosts, String environment, String rule, int maxSlots) {
    /** States of hosts that accept no jobs: unreachable, disabled or in error. Overloaded hosts accept jobs later. */
    private static final String OUT = ".*[udE].*";

    static QueueSlots of(String qstat, QsubOptions options, String rule, int maxSlots) {
        List<Integer> slots = new ArrayList<>();
        Set<String> hosts = new LinkedHashSet<>();
        for (Map<String, String> queue : GridEngineAnswers.elements("Queue-List", qstat)) {
            boolean up = !queue.getOrDefault("state", "").matches(OUT);
            if (up && options.takes(queue.getOrDefault("name", ""))) {
                slots.add(Integer.parseInt(queue.getOrDefault("slots_total", "0")));
                hosts.add(queue.getOrDefault("name", "").replaceFirst(".*@", ""));
            }
        }
        return new QueueSlots(List.copyOf(slots), List.copyOf(hosts), options.environment(), rule, maxSlots);
    }

    /** The value of an attribute of a parallel environment, as {@code qconf -sp} prints it. */
    static String attribute(String name, String printed) {
        return printed.lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElseThrow(() -> new InputException("qconf printed a parallel environment without " + name));
    }

    /** The maximum run time of a queue's jobs in milliseconds, as {@code qconf -sq} prints it; {@link Long#MAX_VALUE} if there is none. */
    static long runTime(String printed) {
        for (String line : printed.lines().toList()) {
            String[] word = line.strip().split("\\s+");
            // Other values are for single hosts: {@code 24:00:00,[host=48:00:00]}.
            if (word.length >= 2 && word[0].equals("h_rt") && word[1].matches("[0-9:]+")) {
                return TimeText.millis(word[1]);
            }
        }
        return Long.MAX_VALUE;
    }

    /** The default cores per node: the environment's slots per host, or one. */
    int cores() {
        return rule.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(rule) : 1;
    }

    /** The maximum nodes of a job, each of {@code cores} slots on one host. */
    int nodes(int cores) {
        if (environment.isEmpty()) {
            return cores == 1 && !ofHosts.isEmpty() ? 1 : 0;
        }
        IntStream nodes = ofHosts.stream().mapToInt(slots -> slots / cores);
        return Math.min(rule.equals("$pe_slots") ? nodes.max().orElse(0) : nodes.sum(), maxSlots / cores);
    }

    Nodes nodes() {
        if (ofHosts.isEmpty()) {
            throw new InputException(
                    "no queue that jobs may use is in service; see qstat -f, and name one with --partition");
        }
        return new Nodes(nodes(cores()), cores(), 0);
    }

    /** Throws if no host layout can satisfy this job shape. */
    void check(int nodes, int cores) {
        if (environment.isEmpty() && nodes * cores > 1) {
            throw new InputException(
                    nodes + " nodes of " + cores
                            + " cores: a job of more than one slot needs a parallel environment. Name one after --, e.g. -- -pe mpi (qconf -spl lists them)");
        }
        boolean fixed = rule.matches("[0-9]+");
        if (fixed && cores != cores()) {
            throw new InputException("--cores-per-node " + cores + ": parallel environment '" + environment + "' gives "
                    + rule + " slots on each host; use this number, or another environment");
        }
        if (!fixed && cores > 1 && !rule.equals("$pe_slots")) {
            throw new InputException("--cores-per-node " + cores + ": parallel environment '" + environment
                    + "' spreads slots over the hosts (" + rule
                    + "); use nodes of 1 core, or one with $pe_slots or a number as its allocation rule");
        }
        if (nodes > nodes(cores)) {
            throw new InputException("--nodes " + nodes + ": a job may have " + nodes(cores) + " nodes of " + cores
                    + " slots" + (environment.isEmpty() ? "" : " in parallel environment '" + environment + "'"));
        }
    }
}
