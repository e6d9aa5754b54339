package io.sheaf.sim.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Amdahl;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests strategies with a fixed number of cores for moldable tasks. */
class FixedCoresTest {
    @Test
    void tasksUseTheLargestCoreCountWithinTheLimit() {
        Workflow chain = Families.named("chain").generate(Recipe.of(3, 3_000_000, 0));
        Workflow moldable = new Amdahl(0, List.of(2, 4, 8), false).of(chain);
        FixedCores fixed = FixedCores.of("auto:lambda=0@5");
        assertThat(fixed.strategy()).isEqualTo("auto:lambda=0");
        assertThat(fixed.on(moldable).resources(0).cores()).isEqualTo(4);
        assertThat(fixed.on(moldable).isMoldable()).isFalse();
        assertThat(fixed.on(moldable).timeMicros(0)).isEqualTo(chain.timeMicros(0) / 4);
        assertThat(FixedCores.of("glume@1").on(moldable).resources(0).cores())
                .as("the smallest")
                .isEqualTo(2);
        assertThat(FixedCores.of("glume").on(moldable)).isSameAs(moldable);
        assertThat(fixed.on(chain)).as("no task is moldable").isSameAs(chain);
    }

    @Test
    void anInvalidNumberOfCoresIsRefused() {
        for (String spec : List.of("auto@", "auto@0", "auto@-1", "auto@x")) {
            assertThatThrownBy(() -> FixedCores.of(spec))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("is not a number of cores");
        }
    }
}
