package io.sheaf.app.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The figures of the attempts of a category. */
class CategoryFiguresTest {
    private static CategoryFigures.AttemptFigures done(long millis, long memory) {
        return new CategoryFigures.AttemptFigures("words", "count", CategoryFigures.End.DONE, millis, memory, 0);
    }

    /** The memory of a task that ended before its first measurement is unknown, not zero. */
    @Test
    void unmeasuredMemoryIsLeftOut() {
        CategoryFigures figures = CategoryFigures.of(
                        List.of(done(10, 0), done(20, CategoryFigures.UNKNOWN), done(30, 0), done(40, 3_000)))
                .get(0);
        assertThat(figures.done()).isEqualTo(4);
        assertThat(figures.time(100)).isEqualTo(40);
        assertThat(figures.memory()).containsExactly(3_000L);
        assertThat(figures.memory(50)).isEqualTo(3_000);
    }
}
