package io.sheaf.batch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reference implementation of Fair Tree: sorts the children of a subtree, visits them, descends into accounts and
 * merges tied accounts.
 */
final class PlainFairTree {
    static final class Node {
        final @Nullable Node parent;
        final double shares;
        final boolean user;
        final List<Node> children = new ArrayList<>();
        double own;

        Node(@Nullable Node parent, double shares, boolean user) {
            this.parent = parent;
            this.shares = shares;
            this.user = user;
            if (parent != null) {
                parent.children.add(this);
            }
        }

        /** Sums in the order of the engine: the last child first. */
        double usage() {
            double sum = own;
            for (int i = children.size() - 1; i >= 0; i--) {
                sum += children.get(i).usage();
            }
            return sum;
        }

        double level() {
            Node above = Objects.requireNonNull(parent);
            double all = 0;
            for (int i = above.children.size() - 1; i >= 0; i--) {
                all += above.children.get(i).shares;
            }
            double total = above.usage();
            double part = total == 0 ? 0 : usage() / total;
            double share = all == 0 ? 0 : shares / all;
            return share == 0 ? 0 : part == 0 ? Double.POSITIVE_INFINITY : share / part;
        }
    }

    final Node root = new Node(null, 1, false);
    private final Map<Node, Double> factors = new LinkedHashMap<>();
    private int users;
    private int left;
    private int rank;

    Map<Node, Double> rank() {
        factors.clear();
        users = count(root);
        left = users;
        rank = users;
        visit(root.children, false);
        return factors;
    }

    private static int count(Node node) {
        return node.user
                ? 1
                : node.children.stream().mapToInt(PlainFairTree::count).sum();
    }

    private void visit(List<Node> siblings, boolean accountTied) {
        List<Node> sorted = new ArrayList<>(siblings);
        sorted.sort(Comparator.comparingDouble(Node::level).reversed().thenComparing(node -> !node.user));
        double before = Double.NaN;
        for (int i = 0; i < sorted.size(); i++) {
            Node node = sorted.get(i);
            double level = node.level();
            boolean tied = i == 0 ? accountTied : level == before;
            before = level;
            if (node.user) {
                rank = tied ? rank : left;
                factors.put(node, rank / (double) users);
                left--;
            } else {
                List<Node> merged = new ArrayList<>(node.children);
                while (i + 1 < sorted.size() && sorted.get(i + 1).level() == level) {
                    merged.addAll(sorted.get(++i).children);
                }
                visit(merged, tied);
            }
        }
    }
}
