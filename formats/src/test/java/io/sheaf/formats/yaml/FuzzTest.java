package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sheaf.formats.Mutations;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that reading a damaged file ends in a workflow or a message. */
class FuzzTest {
    private static final List<String> WORDS = List.of(
            "tasks:",
            "foreach:",
            "vars:",
            "defaults:",
            "categories:",
            "edges: after",
            "from",
            "only",
            "in",
            "out",
            "after",
            "run",
            "time",
            "expected",
            "{x}",
            "{in}",
            "{{in}}",
            "${x}",
            "1..3",
            "1..9999999",
            "0..1 by 0.0000001",
            "&a",
            "*a",
            "!!str",
            "---",
            "...",
            "<<:",
            "? ",
            "- ",
            "|",
            "|+2",
            ">-",
            "%YAML 1.2\n",
            "\u2028",
            "\ufeff",
            "'{'",
            "\\x",
            "~");

    @Test
    void damagedFilesAreReadOrRefused() throws IOException {
        fuzz(3_000, 1);
    }

    @Test
    @Tag("slow")
    void manyDamagedFilesAreReadOrRefused() throws IOException {
        fuzz(50_000, 2);
    }

    private static void fuzz(int cases, long seed) throws IOException {
        List<byte[]> texts = new ArrayList<>();
        for (Path file : Samples.files()) {
            texts.add(Files.readAllBytes(file));
        }
        Samples.inPage().forEach(text -> texts.add(text.getBytes(StandardCharsets.UTF_8)));
        for (int i = 0; i < 5; i++) {
            Workflow workflow = RandomWorkflows.withEverything(i).next();
            texts.add(Yaml.write(workflow).getBytes(StandardCharsets.UTF_8));
        }
        Mutations mutations = new Mutations(seed, WORDS);
        int read = 0;
        for (int i = 0; i < cases; i++) {
            byte[] mutant = mutations.next(texts.get(i % texts.size()));
            read += assertTimeoutPreemptively(Duration.ofSeconds(30), () -> isRead(mutant)) ? 1 : 0;
        }
        // Some mutants must be read and some refused, or the mutations test nothing.
        assertThat(read).isBetween(cases / 20, cases * 19 / 20);
    }

    private static boolean isRead(byte[] mutant) {
        try {
            Workflow workflow = Yaml.read(mutant);
            assertThat(workflow.size()).isNotNegative();
            return true;
        } catch (InputException e) {
            assertThat(e.getMessage()).startsWith("w.yaml").doesNotContain("\n");
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError("on\n" + new String(mutant, StandardCharsets.UTF_8), e);
        }
    }
}
