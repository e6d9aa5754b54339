package io.sheaf.batch;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Slurm's multifactor priority from its formulas, for the plain engine. */
final class PlainPriorities {
    private static final class User {
        final PlainFairTree.Node node;
        int running;
        double usage;
        long at;

        User(PlainFairTree.Node node) {
            this.node = node;
        }

        void advance(long now, double halfLife) {
            double remaining = StrictMath.pow(2, -(now - at) / halfLife);
            usage = usage * remaining + running * (halfLife / Math.log(2)) * (1 - remaining);
            at = now;
        }
    }

    private final Multifactor weights;
    private final int units;
    private final PlainFairTree tree = new PlainFairTree();
    private final Map<Integer, PlainFairTree.Node> accounts = new TreeMap<>();
    private final Map<Integer, User> users = new TreeMap<>();
    private Map<PlainFairTree.Node, Double> factors = Map.of();
    private boolean due;
    private long computed;

    PlainPriorities(Multifactor weights, int units) {
        this.weights = weights;
        this.units = units;
    }

    void join(int user, int account) {
        if (!users.containsKey(user)) {
            PlainFairTree.Node above =
                    accounts.computeIfAbsent(account, number -> new PlainFairTree.Node(tree.root, 1, false));
            users.put(user, new User(new PlainFairTree.Node(above, 1, true)));
            due = true;
        }
    }

    void changed(int user, int more, long now) {
        User changed = Objects.requireNonNull(users.get(user));
        changed.advance(now, (double) weights.halfLife());
        changed.running += more;
    }

    void computeIfDue(long now) {
        if (due || now - computed >= weights.period()) {
            due = false;
            computed = now;
            for (User user : users.values()) {
                user.advance(now, (double) weights.halfLife());
                user.node.own = user.usage;
            }
            factors = tree.rank();
        }
    }

    long priority(PlainJob job) {
        long since = Math.max(job.eligible, job.notBefore);
        double age = job.after != null ? 0 : Math.min(1, Math.max(0, computed - since) / (double) weights.maxAge());
        double part = job.units / (double) units;
        double size = weights.favorsSmall() ? (units - job.units) / (double) units : part;
        User owner = Objects.requireNonNull(users.get(job.user));
        double share = Objects.requireNonNull(factors.get(owner.node));
        double sum = weights.age() * age + weights.size() * size + weights.fairShare() * share + job.priority;
        return sum < 1 ? 1 : (long) sum;
    }
}
