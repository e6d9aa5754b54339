package io.sheaf.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Search for the range that contains a number. */
class BinarySearchTest {
    /** Ranges 0 to 2, an empty one, 3 to 9, and from 10 on: of two that start at 3 the last one counts. */
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
