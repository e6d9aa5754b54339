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

/** Tests that reading a damaged DAX file ends in a message with the file's name or in a workflow. */
class DaxMutantsTest {
    private static final List<String> WORDS = List.of(
            "<!DOCTYPE adag>",
            "&x;",
            "&#0;",
            "<![CDATA[",
            "]]>",
            "<!--",
            "<?",
            "<job",
            "</job>",
            "<adag>",
            "UTF-16",
            "input",
            "output",
            "inout",
            "ID1",
            "ID2",
            "runtime",
            "pegasus",
            "cores",
            "memory",
            "sheaf.scaling");

    @Test
    void damagedFilesAreRefusedOrRead() throws IOException {
        checkMutants(1_500, 1);
    }

    @Tag("slow")
    @Test
    void manyDamagedFilesAreRefusedOrRead() throws IOException {
        checkMutants(50_000, 2);
    }

    private static void checkMutants(int countOfEach, long seed) throws IOException {
        Mutations mutations = new Mutations(seed, WORDS);
        int refused = 0;
        for (String name : List.of("diamond.dax", "two-stage.dax")) {
            byte[] text = resource(name);
            for (int i = 0; i < countOfEach; i++) {
                try {
                    Workflow w = new DaxReader().read(Source.of("w.dax", mutations.next(text)), (i & 1) == 0);
                    assertThat(w.levels()).isLessThanOrEqualTo(w.size());
                } catch (InputException e) {
                    assertThat(e.getMessage()).startsWith("w.dax:");
                    refused++;
                }
            }
        }
        assertThat(refused).isBetween(countOfEach / 2, 2 * countOfEach - 1);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(DaxMutantsTest.class.getResourceAsStream(name))) {
            return in.readAllBytes();
        }
    }
}
