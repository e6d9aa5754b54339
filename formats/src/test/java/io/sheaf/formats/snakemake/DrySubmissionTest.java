package io.sheaf.formats.snakemake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the tasks of jobs that Snakemake submits with Sheaf's recording script as its submit command. */
class DrySubmissionTest {
    @TempDir
    Path folder = Path.of("");

    /** Submits like Snakemake, which replaces the dependencies in the command and appends the path of the script. */
    private String submit(String command, String dependencies, String properties)
            throws IOException, InterruptedException {
        Path script = Files.writeString(
                folder.resolve("job.sh"), "#!/bin/sh\n# properties = " + properties + "\ncd here && make\n");
        Process process = new ProcessBuilder(
                        "/bin/sh", "-c", command.replace("{dependencies}", dependencies) + " \"" + script + "\"")
                .start();
        String id = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return id.strip();
    }

    @Test
    void submittedJobsBecomeTasks() throws IOException, InterruptedException {
        DrySubmission submission = new DrySubmission(Files.createDirectory(folder.resolve("a folder")));
        String command = submission.command();
        String first = submit(command, "", """
                {"type": "single", "rule": "align", "local": false, "input": ["a.fq"], "output": ["a.bam"],\
                 "wildcards": {"s": "a"}, "params": {"x": [1, {"y": 2}]}, "log": [], "threads": 4,\
                 "resources": {"mem_mb": 2000, "tmpdir": "<TBD>", "runtime": 30}, "jobid": 2, "cluster": {}}""");
        String second = submit(command, "", """
                {"type": "single", "rule": "align", "input": ["b.fq"], "output": ["b.bam"], "threads": 1,\
                 "resources": {"mem_mb": "<TBD>"}, "jobid": 10}""");
        submit(command, first + " " + second, """
                {"type": "single", "rule": "tell", "input": [], "output": [], "threads": 1, "resources": {}, "jobid": 1}""");
        Workflow workflow = submission.read("cells", folder.resolve("scripts"));
        assertThat(workflow.size()).isEqualTo(3);
        assertThat(workflow.id(0)).isEqualTo("tell-1");
        assertThat(workflow.parents(0)).isEqualTo(2);
        assertThat(workflow.id(1)).isEqualTo("align-2");
        assertThat(workflow.resources(1)).isEqualTo(new Resources(4, 2_000_000_000, 0, 1));
        assertThat(workflow.timeMicros(1)).isEqualTo(1_800_000_000L);
        assertThat(workflow.category(1).name()).isEqualTo("align");
        assertThat(workflow.fileName(workflow.output(1, 0))).isEqualTo("a.bam");
        assertThat(workflow.resources(2)).isEqualTo(Resources.ONE_CORE);
        assertThat(workflow.timeMicros(2)).isEqualTo(Workflow.UNKNOWN);
        assertThat(folder.resolve("scripts/align-10.sh"))
                .isExecutable()
                .content()
                .endsWith("cd here && make\n");
    }

    @Test
    void refusesScriptsThatAreNotFromSnakemake() {
        assertThatThrownBy(() -> DrySubmission.JobProperties.of("#!/bin/sh\nmake\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("not Snakemake's");
        assertThatThrownBy(() -> DrySubmission.JobProperties.of("# properties = {\"rule\": "))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("not JSON");
    }
}
