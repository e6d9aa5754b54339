package io.sheaf.formats.dax;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Reads a large Pegasus workflow whose transformation follows its jobs. */
class LargePegasusTest {
    @Test
    void readsTwentyThousandJobs() {
        int jobs = 20_000;
        StringBuilder text = new StringBuilder("pegasus: '5.0'\nname: large\njobs:\n");
        for (int i = 0; i < jobs; i++) {
            text.append("- {type: job, name: work, id: ID")
                    .append(i)
                    .append(", arguments: [-i, f")
                    .append(i / 3);
            text.append("], uses: [{lfn: f")
                    .append(i / 3)
                    .append(", type: input}, {lfn: g")
                    .append(i);
            text.append(", type: output}]}\n");
        }
        text.append("jobDependencies:\n");
        for (int i = 1; i < jobs; i++) {
            text.append("- {id: ID")
                    .append(i / 3)
                    .append(", children: [ID")
                    .append(i)
                    .append("]}\n");
        }
        text.append(
                "transformationCatalog:\n  transformations:\n  - name: work\n    sites: [{name: s, pfn: /bin/work}]\n");
        Workflow w =
                new PegasusYaml().read(Source.of("l.yml", text.toString().getBytes(StandardCharsets.UTF_8)), false);
        assertThat(w.size()).isEqualTo(jobs);
        assertThat(w.edges()).isEqualTo(jobs - 1);
        assertThat(w.command(jobs - 1)).isNotNull().satisfies(command -> assertThat(command.argv())
                .containsExactly("/bin/work", "-i", "f" + (jobs - 1) / 3));
    }
}
