package io.sheaf.formats.makeflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Workflow;
import org.junit.jupiter.api.Test;

/** Reads a Makeflow file of 100,000 rules. */
class LargeMakeflowTest {
    @Test
    void readsAHundredThousandRules() {
        int rules = 100_000;
        StringBuilder text = new StringBuilder("TOOL=/opt/tools/bin/work\nf0:\n\t$(TOOL) > f0\n");
        for (int i = 1; i < rules; i++) {
            text.append('f').append(i).append(": f").append(i / 3).append(" in.dat\n");
            text.append("\t$(TOOL) f")
                    .append(i / 3)
                    .append(" in.dat > f")
                    .append(i)
                    .append("\n");
        }
        Workflow w = Samples.read(text.toString());
        assertThat(w.size()).isEqualTo(rules);
        assertThat(w.edges()).isEqualTo(rules - 1);
        assertThat(w.files()).isEqualTo(rules + 1);
        assertThat(w.category(rules - 1).name()).isEqualTo("work");
    }
}
