package io.sheaf.runtime.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service has done is put aside as a whole, also by a process that goes on where another one was killed. */
class VolumesTest {
    @TempDir
    Path folder = Path.of("");

    @BeforeEach
    void make() throws IOException {
        RunSpec spec = new RunSpec(
                "first", "s", folder.toString(), false, false, "auto", "own", 2, 1, "", 0, 8, true, 1, Where.LOCAL);
        WorkflowRun.serve(folder, spec, new Service("fair-share", 7, Map.of("ann", 2.5)), folder.resolve("kit"));
        for (String name : List.of("journal", "cluster", "agents", "logs")) {
            Files.createDirectories(folder.resolve(name));
            Files.writeString(folder.resolve(name).resolve("what"), name);
        }
        Files.createDirectories(folder.resolve("inbox"));
    }

    @Test
    void aVolumeIsAService() throws IOException {
        Path volume = Volumes.putAside(folder);
        assertThat(volume).isEqualTo(folder.resolve("past/0001"));
        for (String name : List.of("journal", "cluster", "agents", "logs")) {
            assertThat(volume.resolve(name).resolve("what")).hasContent(name);
            assertThat(folder.resolve(name)).doesNotExist();
        }
        assertThat(Service.of(volume)).isEqualTo(new Service("fair-share", 7, Map.of("ann", 2.5)));
        assertThat(WorkflowRun.readSpec(volume).id()).isEqualTo("first");
        assertThat(WorkflowRun.isRun(folder)).isTrue();
        assertThat(Service.of(folder)).isEqualTo(Service.of(volume));
        assertThat(WorkflowRun.readSpec(folder).id())
                .as("another one from now on")
                .isNotEqualTo("first");
        assertThat(folder.resolve("inbox")).exists();
    }

    @Test
    void aProcessThatWasKilledOnTheWayDoesNotMatter() throws IOException {
        Files.createDirectories(folder.resolve("past/0001"));
        Files.move(folder.resolve("cluster"), folder.resolve("past/0001/cluster"));
        Path volume = Volumes.putAside(folder);
        assertThat(volume).isEqualTo(folder.resolve("past/0002"));
        assertThat(volume.resolve("journal/what")).exists();
        assertThat(folder.resolve("journal")).doesNotExist();
    }
}
