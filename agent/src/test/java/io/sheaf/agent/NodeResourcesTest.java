package io.sheaf.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.Needs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that each core and GPU of a node is allocated once, lowest first. */
class NodeResourcesTest {
    private final NodeResources node = new NodeResources(4, List.of("a", "b"));

    private static Needs needs(int cores, int gpus) {
        return new Needs(cores, 0, gpus, 0, List.of());
    }

    @Test
    void allocatedResourcesAreNotFreeUntilReleased() {
        NodeResources.Share first = node.take(needs(3, 1));
        assertThat(first.cores()).containsExactly(0, 1, 2);
        assertThat(first.gpus()).containsExactly("a");
        assertThat(node.fits(needs(2, 0))).isFalse();
        assertThat(node.fits(needs(1, 2))).isFalse();
        NodeResources.Share second = node.take(needs(1, 1));
        assertThat(second.cores()).containsExactly(3);
        assertThat(second.gpus()).containsExactly("b");
        node.release(first);
        assertThat(node.take(needs(2, 1))).isEqualTo(new NodeResources.Share(List.of(0, 1), List.of("a"), 0, 0));
    }

    private static Needs part(int share, int sharedCore) {
        return new Needs(1, 0, 0, 0, List.of(), share, sharedCore);
    }

    /**
     * Two half-core tasks of shared core 0 use core 0, a task of shared core 1 the next; no whole-core task uses the
     * rest.
     */
    @Test
    void tasksThatMayShareACoreShareIt() {
        NodeResources.Share first = node.take(part(500, 0));
        NodeResources.Share second = node.take(part(500, 0));
        assertThat(second.cores()).isEqualTo(first.cores()).containsExactly(0);
        assertThat(node.fits(part(1, 0))).isFalse();
        NodeResources.Share other = node.take(part(300, 1));
        assertThat(other.cores()).containsExactly(1);
        assertThat(node.fits(needs(3, 0))).isFalse();
        NodeResources.Share whole = node.take(needs(2, 0));
        assertThat(whole.cores()).containsExactly(2, 3);
        assertThat(node.fits(part(100, 2))).isFalse();
        assertThat(node.fits(part(700, 1))).isTrue();
        node.release(first);
        assertThat(node.fits(needs(1, 0))).isFalse();
        assertThat(node.fits(part(500, 0))).isTrue();
        node.release(second);
        assertThat(node.take(needs(1, 0)).cores()).containsExactly(0);
    }

    @Test
    void aTaskThatCanNeverFitIsRefused() {
        assertThat(node.refusal(needs(4, 2))).isEmpty();
        assertThat(node.refusal(needs(5, 0))).isEqualTo("it needs 5 cores, this node has 4");
        assertThat(node.refusal(needs(1, 3))).isEqualTo("it needs 3 gpus, this node has 2");
    }

    @Test
    void coreListsAreParsed() {
        assertThat(Affinity.parse("0-3,8,10-11")).containsExactly(0, 1, 2, 3, 8, 10, 11);
        assertThat(Affinity.none().prefix(List.of(0))).isEmpty();
    }
}
