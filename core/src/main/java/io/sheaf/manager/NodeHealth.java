package io.sheaf.manager;

import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a run avoids, by host name: those on which attempts fail or agents never connect, while the same tasks succeed elsewhere.
 *
 * <h2>Evidence</h2>
 * A failed attempt on one node is <em>open</em> until its task ends on another node. If the task succeeds there, the failure counts against the
 * node. If it fails there as well, the task is at fault. A category that fails on two nodes and has succeeded on none is at fault, too. So an error
 * of the user, which fails everywhere, counts against no node.
 *
 * <h2>Decision</h2>
 *
 * <ul>
 *   <li><em>Excluded</em> for a day: of the categories that failed there, significantly more attempts failed than elsewhere. This is Fisher's exact
 *       test, one-sided, at {@link #LEVEL} divided by the number of hosts, with at least two such failures. A node is also excluded when two pilot
 *       jobs in a row had no connection from it, while agents on other nodes connect, or no other node is known to be silent.
 *   <li><em>Suspended</em> while a failure is open: a category of its open failures has succeeded elsewhere and never there; or it has two open
 *       failures and no success since, and a node without them is connected.
 * </ul>
 * At most half of the nodes are avoided. The rest follows from events, so a replay decides the same. Attempts on several nodes are not counted.
 */
final class NodeHealth {
    /** How long a node stays excluded, in milliseconds. */
    static final long EXCLUDED_MILLIS = 24 * 3_600_000L;

    private static final double LEVEL = 0.001;
    private static final int FEW = 2;
    /** An attempt of at most this time, in milliseconds, is repeated elsewhere although nothing is known of its category. */
    private static final long CHEAP = 60_000;

    /** What is known about a host. */
    private static final class Host {
        /** Number of successes, and of failures that count against the host, for each category. */
        final Map<String, int[]> counts = new TreeMap<>();
        /** Tasks with an open failure, with their categories. */
        final Map<Integer, String> open = new TreeMap<>();

        boolean connected;
        int silent;
        int failedInARow;
        long until = Long.MIN_VALUE;
        String reason = "";

        int succeeded(String category) {
            int[] both = counts.get(category);
            return both == null ? 0 : both[0];
        }
    }

    private final int nodes;
    private final Map<String, Host> hosts = new TreeMap<>();
    /** Tasks with an open failure on any host. */
    private final Set<Integer> openTasks = new HashSet<>();

    private long nextExpiry = Long.MAX_VALUE;

    /**
     * Without observations.
     *
     * @param nodes of the cluster
     */
    NodeHealth(int nodes) {
        this.nodes = nodes;
    }

    /** Whether no node has a known name. */
    boolean isEmpty() {
        return hosts.isEmpty();
    }

    private Host host(String name) {
        return hosts.computeIfAbsent(name, any -> new Host());
    }

    /** The agent of a node has connected. */
    void called(String name) {
        Host host = host(name);
        host.connected = true;
        host.silent = 0;
    }

    /** A pilot job ran on a node, and its agent did not connect. */
    void silent(String name, long now) {
        Host host = host(name);
        host.silent++;
        boolean othersCall =
                hosts.values().stream().anyMatch(other -> other != host && other.connected && other.silent == 0);
        boolean alone = hosts.values().stream().noneMatch(other -> other != host && other.silent > 0);
        if (host.silent >= FEW && (othersCall || alone)) {
            exclude(host, now, "no agent connected from it in " + host.silent + " pilot jobs in a row");
        }
        if (!othersCall && !alone) {
            // Nodes fail alike: it is no node's fault.
            hosts.values().stream().filter(other -> other.silent > 0).forEach(other -> other.until = Long.MIN_VALUE);
        }
    }

    void succeeded(String name, int task, String category, long now) {
        Host host = host(name);
        host.failedInARow = 0;
        host.counts.computeIfAbsent(category, any -> new int[2])[0]++;
        if (!openTasks.contains(task)) {
            return;
        }
        List<Host> failed = hosts.values().stream()
                .filter(other -> other != host && other.open.containsKey(task))
                .toList();
        close(task);
        for (Host other : failed) {
            other.counts.computeIfAbsent(category, any -> new int[2])[1]++;
            judge(other, now);
        }
    }

    /**
     * A task has failed on a node by its own fault or the node's. Returns whether the node may be the cause, so that the task should have an attempt on
     * another one.
     *
     * @param took its run time, in milliseconds
     * @param up the hosts of connected nodes
     */
    boolean failed(String name, int task, String category, long took, Set<String> up) {
        Host host = host(name);
        boolean repeated = host.open.containsKey(task);
        boolean elsewhere = hosts.values().stream().anyMatch(other -> other != host && other.open.containsKey(task));
        boolean works = worksElsewhere(host, category);
        boolean worksNowhere = !works && host.succeeded(category) == 0;
        boolean failsElsewhere =
                hosts.values().stream().anyMatch(other -> other != host && other.open.containsValue(category));
        if (elsewhere) {
            close(task);
            return false;
        }
        if (worksNowhere && failsElsewhere) {
            for (Host failing : hosts.values()) {
                List.copyOf(failing.open.keySet()).stream()
                        .filter(each -> category.equals(failing.open.get(each)))
                        .forEach(this::close);
            }
            return false;
        }
        host.open.put(task, category);
        openTasks.add(task);
        host.failedInARow++;
        if (repeated || host.succeeded(category) > 0) {
            return false;
        }
        return works || (took <= CHEAP && up.stream().anyMatch(other -> !other.equals(name) && isClean(other)));
    }

    private boolean worksElsewhere(Host host, String category) {
        return hosts.values().stream().anyMatch(other -> other != host && other.succeeded(category) > 0);
    }

    private boolean isClean(String name) {
        Host host = hosts.get(name);
        return host == null || (host.until == Long.MIN_VALUE && host.open.size() < FEW);
    }

    /** Excludes a host if its failures are significantly more frequent than elsewhere. */
    private void judge(Host host, long now) {
        int[] ownCounts = new int[2];
        int[] otherCounts = new int[2];
        host.counts.forEach((category, both) -> {
            if (both[1] > 0) {
                for (Host each : hosts.values()) {
                    int[] counted = each.counts.getOrDefault(category, new int[2]);
                    int[] sum = each == host ? ownCounts : otherCounts;
                    sum[0] += counted[0];
                    sum[1] += counted[1];
                }
            }
        });
        if (ownCounts[1] >= FEW
                && tail(ownCounts[1], ownCounts[0], otherCounts[1], otherCounts[0])
                        <= LEVEL / Math.max(2, hosts.size())) {
            exclude(
                    host,
                    now,
                    ownCounts[1] + " tasks failed on it and succeeded on other nodes; " + ownCounts[0]
                            + " succeeded on it");
        }
    }

    /**
     * The probability of at least {@code a} failures among {@code a + b} attempts if all {@code a + b + c + d} attempts, of which {@code a + c}
     * failed, fail alike (hypergeometric distribution).
     */
    static double tail(int a, int b, int c, int d) {
        double sum = 0;
        for (int x = a; x <= Math.min(a + b, a + c); x++) {
            if (a + c - x <= c + d) {
                sum += Math.exp(lnChoose(a + b, x) + lnChoose(c + d, a + c - x) - lnChoose(a + b + c + d, a + c));
            }
        }
        return sum;
    }

    private static double lnChoose(int n, int k) {
        double sum = 0;
        for (int i = 1; i <= Math.min(k, n - k); i++) {
            sum += Math.log((double) (n - i + 1) / i);
        }
        return sum;
    }

    private void exclude(Host host, long now, String reason) {
        host.until = Math.max(host.until, now + EXCLUDED_MILLIS);
        host.reason = reason;
        nextExpiry = Math.min(nextExpiry, host.until);
    }

    /** Forgets hosts whose exclusion has expired. Returns whether there were any. */
    boolean expire(long now) {
        if (now < nextExpiry) {
            return false;
        }
        hosts.values().stream()
                .filter(host -> host.until != Long.MIN_VALUE && host.until <= now)
                .flatMap(host -> List.copyOf(host.open.keySet()).stream())
                .toList()
                .forEach(this::close);
        hosts.values().removeIf(host -> host.until != Long.MIN_VALUE && host.until <= now);
        nextExpiry = hosts.values().stream()
                .mapToLong(host -> host.until)
                .filter(until -> until != Long.MIN_VALUE)
                .min()
                .orElse(Long.MAX_VALUE);
        return true;
    }

    /**
     * The hosts to avoid now, in order of name; at most half of the nodes.
     *
     * @param up the hosts of connected nodes
     */
    Set<String> avoided(Set<String> up) {
        return avoided((name, host) -> isSuspended(name, host, up));
    }

    /** The hosts that a new pilot job avoids: also those on which tasks that it claims have failed. At most half of the nodes. */
    Set<String> avoidedFor(Set<String> up, Claim claim, Workflow workflow) {
        return avoided((name, host) -> isSuspended(name, host, up)
                || host.open.keySet().stream().anyMatch(task -> claim.has(task, workflow.level(task))));
    }

    private Set<String> avoided(BiPredicate<String, Host> suspended) {
        List<String> names = new ArrayList<>();
        hosts.forEach((name, host) -> {
            if (host.until != Long.MIN_VALUE || suspended.test(name, host)) {
                names.add(name);
            }
        });
        names.sort(Comparator.comparingLong((String name) -> {
                    long until = hosts.getOrDefault(name, new Host()).until;
                    return until == Long.MIN_VALUE ? Long.MAX_VALUE : until;
                })
                .thenComparing(Comparator.naturalOrder()));
        int max = Math.max(nodes, hosts.size()) / 2;
        return new TreeSet<>(names.subList(0, Math.min(max, names.size())));
    }

    private boolean isSuspended(String name, Host host, Set<String> up) {
        boolean worksOnlyElsewhere = host.open.values().stream()
                .anyMatch(category -> host.succeeded(category) == 0 && worksElsewhere(host, category));
        boolean inARow = host.open.size() >= FEW && host.failedInARow >= FEW;
        return worksOnlyElsewhere || (inARow && up.stream().anyMatch(other -> !other.equals(name) && isClean(other)));
    }

    boolean hasOpen(int task) {
        return openTasks.contains(task);
    }

    /** Whether a task has an open failure on this host. */
    boolean hasOpen(@Nullable String name, int task) {
        Host host = name == null ? null : hosts.get(name);
        return host != null && host.open.containsKey(task);
    }

    /** Whether any task has an open failure. */
    boolean hasOpen() {
        return !openTasks.isEmpty();
    }

    private void close(int task) {
        openTasks.remove(task);
        hosts.values().forEach(host -> host.open.remove(task));
    }

    /** The excluded hosts, in order of name. */
    List<AvoidedNode> excluded() {
        List<AvoidedNode> all = new ArrayList<>();
        hosts.forEach((name, host) -> {
            if (host.until != Long.MIN_VALUE) {
                all.add(new AvoidedNode(name, host.until, host.reason));
            }
        });
        return all;
    }

    /**
     * The state for a checkpoint.
     *
     * @param renumber the new number of a task; negative for omitted ones
     */
    List<Checkpoint.Host> checkpoint(IntUnaryOperator renumber, List<PilotJob> jobs) {
        List<Checkpoint.Host> all = new ArrayList<>();
        hosts.forEach((name, host) -> {
            Map<String, List<Integer>> counts = new TreeMap<>();
            host.counts.forEach((category, both) -> counts.put(category, List.of(both[0], both[1])));
            Map<Integer, String> open = new TreeMap<>();
            host.open.forEach((task, category) -> {
                if (renumber.applyAsInt(task) >= 0) {
                    open.put(renumber.applyAsInt(task), category);
                }
            });
            all.add(new Checkpoint.Host(
                    name,
                    host.connected,
                    host.silent,
                    host.failedInARow,
                    host.until,
                    host.reason,
                    counts,
                    open,
                    nodes(name, jobs)));
        });
        return all;
    }

    private static List<Long> nodes(String name, List<PilotJob> jobs) {
        List<Long> nodes = new ArrayList<>();
        for (PilotJob p : jobs) {
            for (int node = 0; node < p.freeCores.length; node++) {
                if (name.equals(p.host(node))) {
                    nodes.addAll(List.of(p.token, (long) node));
                }
            }
        }
        return nodes;
    }

    void restore(List<Checkpoint.Host> all) {
        for (Checkpoint.Host saved : all) {
            Host host = host(saved.name());
            host.connected = saved.connected();
            host.silent = saved.silent();
            host.failedInARow = saved.failedInARow();
            host.until = saved.until();
            host.reason = saved.reason();
            saved.counts().forEach((category, both) -> host.counts.put(category, new int[] {both.get(0), both.get(1)}));
            host.open.putAll(saved.open());
            openTasks.addAll(saved.open().keySet());
            if (host.until != Long.MIN_VALUE) {
                nextExpiry = Math.min(nextExpiry, host.until);
            }
        }
    }
}
