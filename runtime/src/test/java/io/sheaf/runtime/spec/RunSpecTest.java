package io.sheaf.runtime.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.TimesInUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunSpecTest {
    @TempDir
    Path folder = Path.of("");

    private static RunSpec spec() {
        return new RunSpecBuilder("id", "name", Path.of("/work"), "glume")
                .fileEdges(true)
                .nodes(4, 2)
                .background("", 7)
                .keepGoing(true)
                .on(new Placement("slurm", List.of("--partition=main")))
                .build();
    }

    private RunSpec read(String text) throws IOException {
        return RunSpec.read(Files.writeString(folder.resolve("run.json"), text));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        assertThat(read(spec().text())).isEqualTo(spec());
        RunSpec history = new RunSpecBuilder(spec())
                .times(new TimesInUse.Rule(true, 0.75))
                .build();
        assertThat(read(history.text())).isEqualTo(history).isNotEqualTo(spec());
        RunSpec queue = new RunSpecBuilder(spec()).ample(true).hold(300_000).build();
        assertThat(read(queue.text())).isEqualTo(queue).isNotEqualTo(spec());
        assertThat(queue.at("/elsewhere").hold()).isEqualTo(300_000);
    }

    /** Their journals are to be read as they were written: nothing was kept, and times were what was expected. */
    @Test
    void queuesOfEarlierReleasesKeptNothing() throws IOException {
        RunSpec queue = new RunSpecBuilder(spec()).ample(true).hold(300_000).build();
        assertThat(read(queue.text().replaceAll(",\"(ample|hold)\":[^,]*", ""))).isEqualTo(spec());
    }

    @Test
    void runsOfEarlierReleasesDoNotSayWhereTimesComeFrom() throws IOException {
        String without = spec().text().replaceAll(",\"time[A-Za-z]*\":[^,]*", "");
        assertThat(without).doesNotContain("uantile");
        assertThat(read(without)).isEqualTo(spec());
    }
}
