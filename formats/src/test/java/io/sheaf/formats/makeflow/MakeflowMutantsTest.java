package io.sheaf.formats.makeflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Mutations;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that reading a damaged Makeflow file ends in a message with the file's name and a line or in a workflow. */
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
    void damagedFilesAreRefusedOrRead() {
        checkMutants(2_000, 1);
    }

    @Tag("slow")
    @Test
    void manyDamagedFilesAreRefusedOrRead() {
        checkMutants(100_000, 2);
    }

    private static void checkMutants(int count, long seed) {
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
