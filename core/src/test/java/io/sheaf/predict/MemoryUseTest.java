package io.sheaf.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryUseTest {
    private static final long MIB = 1L << 20;

    private static TaskRecord attempt(String category, long memory, boolean failed) {
        return new TaskRecord(category, 1, -1, 1_000, memory, failed);
    }

    @Test
    void aSuggestionIsAQuantileWithAMargin() {
        MemoryUse use = new MemoryUse();
        for (int i = 1; i <= 20; i++) {
            use.learn(attempt("align", i * 100L * MIB, false));
            use.learn(attempt("align", 99_000 * MIB, true));
        }
        // The 19th of 20 peaks is 1900 MiB; with a quarter more 2375 MiB, in units of 2048 / 8 = 256 MiB.
        assertThat(use.suggested("align")).isEqualTo(2560 * MIB);
        assertThat(use.suggested("sort")).isZero();
        // Four peaks are too few, five suffice.
        assertThat(MemoryUse.suggested(List.of(MIB, MIB, MIB, MIB))).isZero();
        assertThat(MemoryUse.suggested(List.of(MIB, MIB, MIB, MIB, MIB))).isEqualTo(64 * MIB);
    }

    /** Peaks are 200 MiB and twice the input: 1000 MiB of input need 2200 MiB, with a quarter more 2750, in units of 256 MiB. */
    @Test
    void inputSizesAreUsedWhereTheyPredictBetter() {
        MemoryUse use = new MemoryUse();
        for (int i = 1; i <= 20; i++) {
            use.learn(new TaskRecord("align", 1, i * 100L * MIB, 1_000, (200 + i * 200L) * MIB, false));
            // The same sizes, but peaks that do not depend on them.
            use.learn(new TaskRecord("sort", 1, i * 100L * MIB, 1_000, (1000 + i * 7 % 11 * 10L) * MIB, false));
        }
        assertThat(use.suggested("align", 1000 * MIB)).isEqualTo(2816 * MIB);
        assertThat(use.suggested("align", 100 * MIB)).isEqualTo(512 * MIB);
        assertThat(use.suggested("align", TaskRecord.UNKNOWN)).isEqualTo(use.suggested("align"));
        assertThat(use.suggested("align")).isEqualTo(5120 * MIB);
        assertThat(use.suggested("sort", 100 * MIB)).isEqualTo(use.suggested("sort"));
        assertThat(use.suggested("sort", 2000 * MIB)).isEqualTo(use.suggested("sort"));
    }

    @Test
    void aWorkflowGetsTheSuggestions() {
        MemoryUse use = new MemoryUse();
        for (int i = 0; i < 5; i++) {
            use.learn(attempt("align", 1000 * MIB, false));
        }
        WorkflowBuilder builder = new WorkflowBuilder("w");
        builder.category(builder.task("a"), "align").resources(0, new Resources(2, 16_000 * MIB, 1, 1));
        builder.category(builder.task("b"), "sort").resources(1, new Resources(1, 500 * MIB, 0, 1));
        Workflow declared = builder.build();
        Workflow learnt = use.applied(declared, 64_000 * MIB, ExpectedRunTimes::category, task -> -1);
        // 1250 MiB in units of 128 MiB.
        assertThat(learnt.resources(0)).isEqualTo(new Resources(2, 1280 * MIB, 1, 1));
        assertThat(learnt.resources(1)).isEqualTo(declared.resources(1));
        assertThat(use.applied(declared, 1100 * MIB, ExpectedRunTimes::category, task -> -1)
                        .resources(0)
                        .memory())
                .isEqualTo(1100 * MIB);
        assertThat(new MemoryUse().applied(declared, 64_000 * MIB, ExpectedRunTimes::category, task -> -1))
                .isSameAs(declared);
    }
}
