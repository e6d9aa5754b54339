package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the reference page of Sheaf YAML has valid examples and describes every key. */
class PageTest {
    @Test
    void everyExampleOnThePageIsRead() throws IOException {
        List<String> sizes = new ArrayList<>();
        for (String text : Samples.inPage()) {
            Workflow workflow = Yaml.read(text);
            sizes.add(workflow.size() + " tasks, " + workflow.edges() + " edges");
        }
        assertThat(sizes)
                .containsExactly(
                        "4 tasks, 3 edges",
                        "1 tasks, 0 edges",
                        "1 tasks, 0 edges",
                        "3 tasks, 2 edges",
                        "11 tasks, 10 edges",
                        "1 tasks, 0 edges",
                        "2 tasks, 0 edges",
                        "4 tasks, 3 edges",
                        "1 tasks, 0 edges");
    }

    @Test
    void everyKeyIsDescribedOnThePage() throws IOException {
        String page = Files.readString(Samples.root().resolve("docs/reference/sheaf-yaml.md"));
        for (List<String> keys : List.of(Document.KEYS, TaskSpec.KEYS)) {
            for (String key : keys) {
                assertThat(page).as(key).contains("\n| `" + key + "` |");
            }
        }
        for (String key : FileEntry.KEYS) {
            assertThat(page).as(key).contains(key);
        }
    }
}
