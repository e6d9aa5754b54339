package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SizeClassesTest {
    private static List<String> names(int nodes) {
        SizeClasses classes = new SizeClasses(nodes);
        return IntStream.range(0, classes.count()).mapToObj(classes::name).toList();
    }

    @Test
    void theLastClassEndsAtTheClusterSize() {
        assertThat(names(1)).containsExactly("1");
        assertThat(names(2)).containsExactly("1", "2");
        assertThat(names(4)).containsExactly("1", "2-4");
        assertThat(names(100)).containsExactly("1", "2-4", "5-16", "17-64", "65-100");
        assertThat(names(1_000_000)).hasSize(8).endsWith("1025-4096", "4097-1000000");
    }

    @Test
    void everySizeHasAClassAndEveryClassAShade() {
        SizeClasses classes = new SizeClasses(100);
        assertThat(IntStream.of(1, 2, 4, 5, 16, 17, 64, 65, 100).map(classes::of))
                .containsExactly(0, 1, 1, 2, 2, 3, 3, 4, 4);
        assertThat(IntStream.range(0, 5).map(classes::shade)).containsExactly(0, 2, 4, 5, 7);
    }
}
