package io.sheaf.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.Needs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cores and graphics processors are handed out once, lowest first. */
class NodeResourcesTest {
    private final NodeResources node = new NodeResources(4, List.of("a", "b"));

    private static Needs needs(int cores, int gpus) {
        return new Needs(cores, 0, gpus, 0, List.of());
    }

    @Test
    void whatIsTakenIsNotFreeUntilItIsReleased() {
        NodeResources.Share first = node.take(needs(3, 1));
        assertThat(first.cores()).containsExactly(0, 1, 2);
        assertThat(first.gpus()).containsExactly("a");
        assertThat(node.fits(needs(2, 0))).isFalse();
        assertThat(node.fits(needs(1, 2))).isFalse();
        NodeResources.Share second = node.take(needs(1, 1));
        assertThat(second.cores()).containsExactly(3);
        assertThat(second.gpus()).containsExactly("b");
        node.release(first);
        assertThat(node.take(needs(2, 1))).isEqualTo(new NodeResources.Share(List.of(0, 1), List.of("a")));
    }

    @Test
    void whatCanNeverFitIsSaid() {
        assertThat(node.refusal(needs(4, 2))).isEmpty();
        assertThat(node.refusal(needs(5, 0))).isEqualTo("it needs 5 cores, this node has 4");
        assertThat(node.refusal(needs(1, 3))).isEqualTo("it needs 3 gpus, this node has 2");
    }

    @Test
    void listsOfCoresAreRead() {
        assertThat(Affinity.parse("0-3,8,10-11")).containsExactly(0, 1, 2, 3, 8, 10, 11);
        assertThat(Affinity.none().prefix(List.of(0))).isEmpty();
    }
}
