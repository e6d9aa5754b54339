package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Finished;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs each command of the Slurm tutorial on a real Slurm. */
@Tag("slow")
class SlurmTutorialIT {
    private static final String PAGE = "docs/tutorials/first-run-on-slurm.md";
    private static final int TIMEOUT_SECONDS = 300;

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(8));

    @Test
    void everyCommandOfTheTutorialSucceeds(@TempDir Path folder) throws Exception {
        Matcher workflow = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(DocumentedLines.ROOT.resolve(PAGE)));
        assertThat(workflow.find()).isTrue();
        Files.writeString(folder.resolve("study.yaml"), workflow.group(1));
        Map<String, String> environment = new HashMap<>(SLURM.get().environment());
        environment.put("SHEAF_CACHE", folder.resolve("cache").toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("SHEAF_SITE_CONFIG", "nowhere");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        List<DocumentedLines.Line> lines = DocumentedLines.of(PAGE);
        assertThat(lines).hasSizeGreaterThan(10);
        for (DocumentedLines.Line line : lines) {
            List<String> words = new ArrayList<>(List.of(RealRun.BUILT.toString()));
            words.addAll(line.words());
            Finished run = Finished.run(folder, environment, TIMEOUT_SECONDS, words);
            assertThat(run.status()).as("%s%n%s%s", line, run.out(), run.err()).isZero();
        }
        assertThat(folder.resolve("mean.txt")).hasContent("3.5");
        assertThat(folder.resolve("night.html")).content().contains("study");
    }
}
