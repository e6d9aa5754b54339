package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairTreeTest {
    /**
     * Physics has 3 of 4 shares and 60 of 100 used: 0.75 / 0.6 = 1.25. Biology has 1 of 4 and 40: 0.25 / 0.4 = 0.625.
     * So all users of physics rank first. In physics ada (10 of 60 used, half the shares: 3) is before bob (50: 0.6);
     * in biology the two idle users are tied at infinity, before eve.
     */
    @Test
    void ranksUsersOfTheBetterAccountFirst() {
        FairTree tree = new FairTree();
        int physics = tree.add(FairTree.ROOT, 3, false);
        int biology = tree.add(FairTree.ROOT, 1, false);
        int eve = tree.add(biology, 1, true);
        int bob = tree.add(physics, 1, true);
        int ada = tree.add(physics, 1, true);
        int idle = tree.add(biology, 1, true);
        int lazy = tree.add(biology, 1, true);
        tree.use(bob, 50);
        tree.use(ada, 10);
        tree.use(eve, 40);
        tree.rank();
        assertThat(tree.factor(ada)).isEqualTo(5 / 5.0);
        assertThat(tree.factor(bob)).isEqualTo(4 / 5.0);
        assertThat(tree.factor(idle)).isEqualTo(3 / 5.0);
        assertThat(tree.factor(lazy)).isEqualTo(3 / 5.0);
        assertThat(tree.factor(eve)).isEqualTo(1 / 5.0);
    }

    /** Two accounts are tied at 0.5 / 0.5 = 1, so their users are ranked as siblings: 0.5 / 0.1 = 5, 0.5 / 0.4 = 1.25, 0.83, 0.56. */
    @Test
    void mergesTiedAccounts() {
        FairTree tree = new FairTree();
        int left = tree.add(FairTree.ROOT, 1, false);
        int right = tree.add(FairTree.ROOT, 1, false);
        int[] users = {
            tree.add(left, 1, true), tree.add(left, 1, true), tree.add(right, 1, true), tree.add(right, 1, true)
        };
        double[] usage = {10, 90, 40, 60};
        for (int i = 0; i < users.length; i++) {
            tree.use(users[i], usage[i]);
        }
        tree.rank();
        assertThat(Arrays.stream(users).mapToDouble(tree::factor)).containsExactly(1.0, 0.25, 0.75, 0.5);
    }

    /** A user ranks before an account of the same level fair share, and is tied with the first user of the account. */
    @Test
    void aUserRanksBeforeATiedAccount() {
        FairTree tree = new FairTree();
        int account = tree.add(FairTree.ROOT, 1, false);
        int first = tree.add(account, 1, true);
        int second = tree.add(account, 1, true);
        int alone = tree.add(FairTree.ROOT, 1, true);
        tree.use(first, 10);
        tree.use(second, 40);
        tree.use(alone, 50);
        tree.rank();
        assertThat(List.of(tree.factor(alone), tree.factor(first), tree.factor(second)))
                .containsExactly(1.0, 1.0, 1 / 3.0);
    }

    @Test
    void aUserWithTheSharesOfItsAccountRanksFirst() {
        FairTree tree = new FairTree();
        int account = tree.add(FairTree.ROOT, 1, false);
        int one = tree.add(account, 5, true);
        int parent = tree.add(account, FairTree.PARENT, true);
        tree.use(one, 1);
        tree.use(parent, 100);
        tree.rank();
        assertThat(tree.factor(parent)).isEqualTo(1);
        assertThat(tree.factor(one)).isEqualTo(0.5);
    }

    @Test
    void agreesWithThePlainFairTree() {
        int ties = 0;
        for (int seed = 0; seed < 500; seed++) {
            RandomStream random = new RandomStream(seed);
            FairTree tree = new FairTree();
            PlainFairTree plain = new PlainFairTree();
            List<PlainFairTree.Node> nodes = new ArrayList<>(List.of(plain.root));
            int size = 2 + random.nextInt(30);
            for (int i = 1; i < size; i++) {
                int above = random.nextInt(i);
                while (nodes.get(above).user) {
                    above = random.nextInt(i);
                }
                boolean user = i > 3 && random.chance(0.6);
                double shares = random.nextInt(4);
                tree.add(above, shares, user);
                nodes.add(new PlainFairTree.Node(nodes.get(above), shares, user));
            }
            // Every account has a user.
            for (int i = 1; i < size; i++) {
                if (!nodes.get(i).user && nodes.get(i).children.isEmpty()) {
                    tree.add(i, 1, true);
                    nodes.add(new PlainFairTree.Node(nodes.get(i), 1, true));
                }
            }
            int count = nodes.size();
            for (int round = 0; round < 3; round++) {
                for (int i = 1; i < count; i++) {
                    double usage = nodes.get(i).user ? random.nextInt(4) : 0;
                    tree.use(i, usage);
                    nodes.get(i).own = usage;
                }
                tree.rank();
                FairTree copy = new FairTree();
                copy.copyFrom(tree);
                copy.rank();
                Map<PlainFairTree.Node, Double> expected = plain.rank();
                for (int i = 1; i < count; i++) {
                    if (nodes.get(i).user) {
                        assertThat(tree.factor(i))
                                .as("seed %d, node %d", seed, i)
                                .isEqualTo(expected.get(nodes.get(i)));
                        assertThat(copy.factor(i)).isEqualTo(tree.factor(i));
                    }
                }
                ties += expected.size()
                        - (int) expected.values().stream().distinct().count();
            }
        }
        assertThat(ties).isGreaterThan(500);
    }

    @Test
    void parsesQueueOrders() {
        Multifactor read = QueueOrder.parse(
                        "multifactor:age=10,max-age=1d,fairshare=20,size=5,favor=small,half-life=2d,share=3")
                .multifactor();
        assertThat(read).isEqualTo(new Multifactor(10, 86_400_000, 5, true, 20, 172_800_000, 300_000, 3, true));
        assertThat(QueueOrder.parse("multifactor").multifactor()).isEqualTo(Multifactor.USUAL);
        assertThat(QueueOrder.parse("Large")).isEqualTo(QueueOrder.LARGE);
        for (String wrong : List.of(
                "biggest",
                "multifactor:agee=1",
                "multifactor:age=-1",
                "multifactor:favor=me",
                "multifactor:known=maybe",
                "multifactor:max-age=x")) {
            assertThatThrownBy(() -> QueueOrder.parse(wrong)).isInstanceOf(InputException.class);
        }
    }

    /** 4 of 10 nodes, half of the maximum age, second of four users: 1000 × 0.5 + 100 × 0.6 + 2000 × 0.75 + 7. */
    @Test
    void addsTheWeightedFactors() {
        Multifactor all = new Multifactor(1000, 60_000, 100, true, 2000, 1000, 1000, 1, true);
        assertThat(all.priority(30_000, 4, 10, 0.75, 7)).isEqualTo(500 + 60 + 1500 + 7);
        assertThat(all.priority(90_000, 4, 10, 0.75, -2600)).isEqualTo(1);
        assertThat(all.waitEquivalent(0.25)).isEqualTo(30_000);
        assertThat(all.waitEquivalent(0.75)).isEqualTo(BatchEngine.NEVER);
    }
}
