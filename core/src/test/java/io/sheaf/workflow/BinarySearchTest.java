package io.sheaf.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which stretch a number lies in. */
class BinarySearchTest {
    /** 0 to 2, nothing, 3 to 9, 10 and more: of two that begin at 3 the last one has it. */
    @Test
    void findsTheLastRangeThatStartsAtOrBeforeTheNumber() {
        List<Integer> firsts = List.of(0, 3, 3, 10);
        List<Integer> places = List.of(0, 1, 2, 3);
        for (int number = 0; number < 20; number++) {
            int expected = number < 3 ? 0 : number < 10 ? 2 : 3;
            assertThat(BinarySearch.holding(places, firsts::get, number)).isEqualTo(expected);
        }
        assertThat(BinarySearch.holding(List.of("only"), each -> 5, 1)).isEqualTo("only");
    }
}
