package io.sheaf.formats.dagman;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Mutations;
import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that reading a damaged DAG file or submit file ends in a message with its name or in a workflow. */
class DagmanMutantsTest {
    private static final List<String> WORDS = List.of(
            "JOB",
            "PARENT",
            "CHILD",
            "VARS",
            "ALL_NODES",
            "SCRIPT",
            "PRE",
            "POST",
            "NOOP",
            "DONE",
            "DIR",
            "w1",
            "merge",
            "$(",
            ")",
            "$(JOB)",
            "$$(x)",
            "$F(x)",
            "@=",
            "@=end",
            "queue",
            "\\\n",
            "=",
            "+SheafTime",
            "+SheafScaling",
            "+SheafInputs",
            "+SheafOnPath",
            "arguments",
            "executable",
            "/",
            "{\n",
            "\n}\n");

    @Test
    void damagedFilesAreRefusedOrRead() {
        checkMutants(1_500, 1);
    }

    @Tag("slow")
    @Test
    void manyDamagedFilesAreRefusedOrRead() {
        checkMutants(50_000, 2);
    }

    private static void checkMutants(int countOfEach, long seed) {
        Mutations mutations = new Mutations(seed, WORDS);
        int refused = 0;
        for (String name : List.of("pipeline.dag", "split.sub")) {
            for (int i = 0; i < countOfEach; i++) {
                Map<String, byte[]> texts = new HashMap<>(Samples.pipeline());
                texts.computeIfPresent(name, (key, text) -> mutations.next(text));
                try {
                    Workflow w = new DagmanReader().read(Source.of("pipeline.dag", texts), (i & 1) == 0);
                    assertThat(w.levels()).isLessThanOrEqualTo(w.size());
                } catch (InputException e) {
                    assertThat(e.getMessage())
                            .containsPattern("^(pipeline\\.dag|split\\.sub|reports/report\\.sub):\\d+:\\d+: ");
                    refused++;
                }
            }
        }
        assertThat(refused).isBetween(countOfEach / 4, 2 * countOfEach - 1);
    }
}
