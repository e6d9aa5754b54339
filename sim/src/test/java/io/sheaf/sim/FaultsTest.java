package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import org.junit.jupiter.api.Test;

class FaultsTest {
    @Test
    void faultSpecificationsAreParsed() {
        assertThat(Faults.parse("task=0.05, job=0.1,node=0.2,refuse=0.3,silent=0.4,late=0.5,delay=10m,twice=0.6", 7))
                .isEqualTo(new Faults(0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 600_000, 0.6, 7));
        assertThat(Faults.parse("late=0.1", 7).delay()).isEqualTo(300_000);
        assertThat(Faults.parse("late=0", 7).isNone()).isTrue();
        assertThat(Faults.NONE.isNone()).isTrue();
        assertThat(Faults.parse("twice=0.1", 7).isNone()).isFalse();
    }

    @Test
    void errorsInAFaultSpecificationAreReported() {
        assertThatThrownBy(() -> Faults.parse("taks=0.1", 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'taks=0.1'")
                .hasMessageContaining("task");
        assertThatThrownBy(() -> Faults.parse("task", 1)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> Faults.parse("task=1.5", 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("task=1.5: write a probability");
        assertThatThrownBy(() -> Faults.parse("task=NaN", 1)).isInstanceOf(InputException.class);
    }
}
