package io.sheaf.formats.dax;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Mutations;
import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that reading a damaged Pegasus file ends in a message with the file's name or in a workflow. */
class PegasusMutantsTest {
    private static final List<String> WORDS = List.of(
            "{",
            "}",
            "[",
            "]",
            ": ",
            "\n  - ",
            "&a ",
            "*a",
            "!!str",
            "---",
            "ID1",
            "ID2",
            "children:",
            "lfn",
            "type",
            "inout",
            "profiles:",
            "pegasus",
            "cores",
            "memory",
            "name",
            "pfn",
            "'");

    @Test
    void damagedFilesAreRefusedOrRead() throws IOException {
        checkMutants(1_000, 1);
    }

    @Tag("slow")
    @Test
    void manyDamagedFilesAreRefusedOrRead() throws IOException {
        checkMutants(50_000, 2);
    }

    private static void checkMutants(int count, long seed) throws IOException {
        byte[] text;
        try (InputStream in = Objects.requireNonNull(PegasusMutantsTest.class.getResourceAsStream("diamond.yml"))) {
            text = in.readAllBytes();
        }
        Mutations mutations = new Mutations(seed, WORDS);
        int refused = 0;
        for (int i = 0; i < count; i++) {
            try {
                Workflow w = new PegasusYaml().read(Source.of("w.yml", mutations.next(text)), (i & 1) == 0);
                assertThat(w.levels()).isLessThanOrEqualTo(w.size());
            } catch (InputException e) {
                assertThat(e.getMessage()).startsWith("w.yml:");
                refused++;
            }
        }
        assertThat(refused).isBetween(count / 4, count - 1);
    }
}
