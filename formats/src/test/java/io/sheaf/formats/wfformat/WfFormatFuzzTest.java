package io.sheaf.formats.wfformat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sheaf.formats.Mutations;
import io.sheaf.formats.Source;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a damaged file is refused with one line or is a workflow that survives a round trip. */
class WfFormatFuzzTest {
    private static final int CASES = 3_000;
    private static final List<String> SAMPLES = List.of(
            "dinner-1.0.json",
            "dinner-1.2.json",
            "dinner-1.4.json",
            "dinner-1.5.json",
            "dinner-1.5-execution-first.json",
            "nextflow.json",
            "same-names.json",
            "ids-and-names.json",
            "everything.json");
    private static final List<String> WORDS = List.of(
            "\"id\"",
            "\"name\"",
            "\"parents\": [\"split_ID0000001\"]",
            "\"children\"",
            "\"runtimeInSeconds\": -1",
            "\"runtime\"",
            "\"coreCount\": 0.5",
            "\"memory\"",
            "\"sheaf\": {\"limitInSeconds\": 0}",
            "\"scaling\": []",
            "\"tasks\"",
            "\"jobs\"",
            "\"specification\"",
            "\"execution\"",
            "\"cook_ID0000002\"",
            "\\ud83c",
            "\\u0000",
            "[]",
            "{}");

    private final WfFormat format = new WfFormat();

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void everyMutantIsRefusedOrRead() throws IOException {
        Mutations mutations = new Mutations(20_260_101, WORDS);
        int read = 0;
        for (int i = 0; i < CASES; i++) {
            byte[] mutant = mutations.next(WfFormatReadTest.bytes(SAMPLES.get(i % SAMPLES.size())));
            read += isRead(mutant, i) ? 1 : 0;
        }
        // Some mutants must be read and some refused, or the mutations are too mild or too wild to test anything.
        assertThat(read).isBetween(CASES / 20, CASES * 19 / 20);
    }

    private boolean isRead(byte[] mutant, int number) throws IOException {
        try {
            Workflow workflow = format.read(Source.of("mutant.json", mutant), number % 2 == 0);
            StringWriter out = new StringWriter();
            format.write(workflow, out);
            byte[] written = out.toString().getBytes(StandardCharsets.UTF_8);
            SameWorkflow.assertSame(workflow, format.read(Source.of("again.json", written), false));
            return true;
        } catch (InputException e) {
            assertThat(e.getMessage()).startsWith("mutant.json").doesNotContain("\n");
            return false;
        } catch (RuntimeException e) {
            return fail("mutant " + number + ": " + new String(mutant, StandardCharsets.UTF_8), e);
        }
    }
}
