package io.sheaf.formats;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.registry.Formats;
import io.sheaf.random.RandomStream;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests reading of 200,000 damaged files: each ends quickly in a one-line message with the name of the file or in a
 * workflow.
 *
 * <p>Sheaf writes the undamaged texts, so they use every feature of the format.
 */
@Tag("slow")
class AllFormatsFuzzTest {
    private static final int CASES = 50_000;
    private static final int BATCH = 500;
    private static final List<String> WORDS = List.of(
            "tasks:",
            "foreach:",
            "after:",
            "{x}",
            "1..9999999",
            "&a",
            "*a",
            "!!x",
            "<job id=\"a\"/>",
            "<!DOCTYPE",
            "<child ref=\"t0\">",
            "JOB",
            "PARENT",
            "CHILD",
            "VARS",
            "$(x)",
            "\"id\"",
            "\"parents\"",
            "\"t0\"",
            "runtime",
            "-1",
            "t0",
            "t1",
            "edges:");

    @ParameterizedTest
    @ValueSource(strings = {"yaml", "wfformat", "dax", "dagman"})
    void everyDamagedFileIsRefusedOrRead(String name) throws IOException {
        WorkflowReader reader = Formats.reader(name);
        List<byte[]> samples = samples(Formats.writer(name));
        Mutations mutations = new Mutations(name.hashCode(), WORDS);
        RandomStream random = new RandomStream(7);
        int[] read = new int[1];
        for (int batch = 0; batch < CASES / BATCH; batch++) {
            List<byte[]> mutants = new ArrayList<>();
            for (int i = 0; i < BATCH; i++) {
                mutants.add(mutations.next(samples.get(random.nextInt(samples.size()))));
            }
            // A batch takes about a second; one text that hangs or explodes would take far longer.
            Assertions.assertTimeoutPreemptively(
                    Duration.ofMinutes(2),
                    () -> mutants.forEach(mutant -> {
                        read[0] += isRead(reader, mutant) ? 1 : 0;
                    }));
        }
        assertThat(read[0]).as("some files are read and some are refused").isBetween(CASES / 100, CASES * 99 / 100);
    }

    private static List<byte[]> samples(WorkflowWriter writer) throws IOException {
        List<Workflow> workflows = new ArrayList<>();
        for (int seed = 0; seed < 20; seed++) {
            workflows.add(RandomWorkflows.withEverything(seed).next());
        }
        workflows.add(Families.named("montage").generate(Recipe.of(30, 0, 1)));
        workflows.add(Families.named("sipht").generate(Recipe.of(33, 0, 1)));
        List<byte[]> texts = new ArrayList<>();
        for (Workflow workflow : workflows) {
            StringWriter text = new StringWriter();
            writer.write(workflow, text);
            texts.add(text.toString().getBytes(StandardCharsets.UTF_8));
        }
        return texts;
    }

    private static boolean isRead(WorkflowReader reader, byte[] mutant) {
        try {
            reader.read(Source.of("mutant", mutant), reader.fileEdgesByDefault());
            return true;
        } catch (InputException e) {
            if (!String.valueOf(e.getMessage()).startsWith("mutant")
                    || String.valueOf(e.getMessage()).contains("\n")) {
                throw new AssertionError("an unclear refusal: " + e.getMessage(), e);
            }
            return false;
        } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
            throw new AssertionError(new String(mutant, StandardCharsets.UTF_8), e);
        }
    }
}
