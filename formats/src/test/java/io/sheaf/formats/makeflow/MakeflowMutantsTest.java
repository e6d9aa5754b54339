package io.sheaf.formats.makeflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Mutations;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A damaged file ends in a message with its name and a line, or is a workflow all the same. */
class MakeflowMutantsTest {
    private static final List<String> WORDS = List.of(
            ":",
            "=",
            "+=",
            "->",
            "$(",
            ")",
            "$(STEPS)",
            "${MODE}",
            "'",
            "\"",
            "\\",
            "\\\n",
            "\n\t",
            "#",
            "@",
            "LOCAL",
            "MAKEFLOW",
            "export",
            "CATEGORY=",
            "CORES=",
            "MEMORY=",
            ".MAKEFLOW",
            ".SIZE",
            "picture.jpg");

    @Test
    void someMutants() {
        mutants(2_000, 1);
    }

    @Tag("slow")
    @Test
    void manyMutants() {
        mutants(100_000, 2);
    }

    private static void mutants(int count, long seed) {
        Mutations mutations = new Mutations(seed, WORDS);
        byte[] text = Samples.pictures();
        int refused = 0;
        for (int i = 0; i < count; i++) {
            try {
                Workflow w = Samples.read(mutations.next(text));
                assertThat(w.levels()).isLessThanOrEqualTo(w.size());
            } catch (InputException e) {
                assertThat(e.getMessage()).containsPattern("^w\\.mf:\\d+:\\d+: ");
                refused++;
            }
        }
        assertThat(refused).isBetween(count / 4, count - 1);
    }
}
