package io.sheaf.formats.dax;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Reads a DAX file of 100,000 tasks with files and edges. */
class LargeDaxTest {
    @Test
    void readsAHundredThousandTasks() {
        int tasks = 100_000;
        StringBuilder text = new StringBuilder(40_000_000).append("<adag version='2.1' name='large'>\n");
        for (int i = 0; i < tasks; i++) {
            text.append("  <job id='ID")
                    .append(i)
                    .append("' name='kind")
                    .append(i % 7)
                    .append("' runtime='1.5'>\n");
            text.append("    <uses file='f").append(i / 2).append("' link='input' size='1000'/>\n");
            text.append("    <uses file='g").append(i).append("' link='output' size='1000'/>\n  </job>\n");
        }
        for (int i = 1; i < tasks; i++) {
            text.append("  <child ref='ID")
                    .append(i)
                    .append("'><parent ref='ID")
                    .append(i / 3)
                    .append("'/></child>\n");
        }
        byte[] bytes = text.append("</adag>\n").toString().getBytes(StandardCharsets.UTF_8);
        Workflow w = new DaxReader().read(Source.of("large.dax", bytes), true);
        assertThat(w.size()).isEqualTo(tasks);
        assertThat(w.edges()).isEqualTo(tasks - 1);
        assertThat(w.files()).isEqualTo(tasks + tasks / 2);
        assertThat(w.totalMicros()).isEqualTo(tasks * 1_500_000L);
    }
}
