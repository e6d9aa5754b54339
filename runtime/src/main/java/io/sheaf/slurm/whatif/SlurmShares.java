package io.sheaf.slurm.whatif;

import io.sheaf.batch.FairTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tree of accounts and users with their shares and usage, from {@code sshare}.
 *
 * @param rows in the order of the output: an account before what is below it
 * @param own the row of our jobs; −1 if it is unknown
 */
record SlurmShares(List<Row> rows, int own) {
    static final SlurmShares UNKNOWN = new SlurmShares(List.of(), -1);

    /** The fields of {@code sshare -a -n -P -o}. */
    static final String FORMAT = "Account,User,RawShares,RawUsage,FairShare";

    /** The largest difference between a printed factor and ours. */
    private static final double ROUNDED = 1e-4;

    /**
     * An account or a user.
     *
     * @param depth 0 for the root
     * @param user empty for an account
     * @param shares {@link FairTree#PARENT} if it uses those of the account above
     * @param usage decayed billing units × seconds
     * @param factor of a user; NaN if it is not printed
     */
    record Row(int depth, String account, String user, double shares, double usage, double factor) {}

    /**
     * Parses the output; skips other lines.
     *
     * @param account of our jobs; if it is empty, our user must have only one
     */
    static SlurmShares read(String text, String user, String account) {
        List<Row> rows = new ArrayList<>();
        List<Integer> ours = new ArrayList<>();
        for (String[] cell : Columns.barred(text, 5)) {
            String name = cell[0].strip();
            if (cell[1].equals(user) && (account.isEmpty() || account.equals(name))) {
                ours.add(rows.size());
            }
            int depth = cell[0].length() - cell[0].stripLeading().length();
            double shares = cell[2].equals("parent") ? FairTree.PARENT : Math.max(0, number(cell[2], 0));
            rows.add(new Row(depth, name, cell[1], shares, number(cell[3], 0), number(cell[4], Double.NaN)));
        }
        return new SlurmShares(List.copyOf(rows), ours.size() == 1 ? ours.get(0) : -1);
    }

    private static double number(String cell, double otherwise) {
        try {
            return cell.isEmpty() ? otherwise : Double.parseDouble(cell);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** Our fair-share factor; NaN if it is unknown. */
    double factor() {
        return own < 0 ? Double.NaN : rows.get(own).factor;
    }

    /** The fair-share factor of a user in an account; NaN if it is unknown. */
    double factor(String user, String account) {
        return rows.stream()
                .filter(row -> row.user.equals(user) && row.account.equals(account))
                .mapToDouble(Row::factor)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Our fair-share factor with more usage; NaN if the visible part of the tree does not explain the present one. */
    double factorWith(double more) {
        return own < 0 || !(Math.abs(computed(0) - factor()) < ROUNDED) ? Double.NaN : computed(more);
    }

    private double computed(double more) {
        FairTree tree = new FairTree();
        int[] number = new int[rows.size()];
        Map<Integer, Integer> above = new HashMap<>();
        Map<Integer, Integer> rowAbove = new HashMap<>();
        double[] rest = new double[rows.size()];
        for (int i = 0; i < number.length; i++) {
            Row row = rows.get(i);
            int parent = above.getOrDefault(row.depth - 1, FairTree.ROOT);
            boolean user = !row.user.isEmpty();
            // The children of an account without shares of its own are siblings of the account.
            boolean joined = row.depth == 0 || (!user && row.shares == FairTree.PARENT);
            number[i] = joined ? parent : tree.add(parent, row.shares, user);
            rest[i] = row.usage;
            Integer containing = rowAbove.get(row.depth - 1);
            if (containing != null) {
                rest[containing] -= row.usage;
            }
            above.put(row.depth, number[i]);
            rowAbove.put(row.depth, i);
        }
        for (int i = 0; i < number.length; i++) {
            if (number[i] != FairTree.ROOT) {
                tree.use(number[i], Math.max(0, rest[i]) + (i == own ? more : 0));
            }
        }
        tree.rank();
        return tree.factor(number[own]);
    }
}
