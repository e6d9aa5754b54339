package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tasks of different workflows share run times if their commands are of one kind. */
class CommandKindsTest {
    private static String kind(String samples, String run) throws IOException {
        String text = "name: words\ntasks:\n  count:\n    foreach: {book: [" + samples
                + "]}\n    in: \"{book}.txt\"\n    out: \"{book}.count\"\n    run: " + run + "\n";
        Workflow workflow =
                Formats.reader("yaml").read(Source.of("w.yaml", text.getBytes(StandardCharsets.UTF_8)), true);
        return new CommandKinds(workflow).of(workflow, workflow.size() - 1);
    }

    @Test
    void moreTasksOfACommandDoNotChangeItsKind() throws IOException {
        String one = kind("emma", "wc -w {in} --label {book} > {out}");
        assertThat(one).matches("count@[0-9a-f]{8}");
        assertThat(kind("emma, persuasion, sanditon", "wc -w {in} --label {book} > {out}"))
                .isEqualTo(one);
    }

    @Test
    void differentCommandsHaveDifferentKinds() throws IOException {
        String one = kind("emma, persuasion", "sleep 1; wc {in} > {out}");
        assertThat(kind("emma, persuasion", "sleep 3; wc {in} > {out}")).isNotEqualTo(one);
        assertThat(kind("emma, persuasion", "sort {in} > {out}")).isNotEqualTo(one);
    }
}
