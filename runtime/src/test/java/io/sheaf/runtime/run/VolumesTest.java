package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.predict.WaitMemory;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.runtime.spec.Service;
import io.sheaf.testing.ManagerState;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ended workflows of a service are archived while others are left, also by a process that continues after another one
 * was killed.
 */
class VolumesTest {
    private static final int TASKS = 3;
    private static final Workflow NOTHING = new WorkflowBuilder("s").build();

    @TempDir
    Path folder = Path.of("");

    private RunSpec spec = new RunSpecBuilder("", "", Path.of(""), "").build();

    /**
     * A service with three submitted workflows, of which the second has not ended; the folder has an agent of pilot job
     * 7 and logs of all tasks.
     */
    @BeforeEach
    void createService() throws IOException {
        spec = new RunSpecBuilder("first", "s", folder, "auto")
                .nodes(2, 1)
                .cap(8)
                .keepGoing(true)
                .outputPatience(1)
                .build();
        WorkflowRun.serve(folder, spec, new Service("fair-share", 7, Map.of("ann", 2.5)), folder.resolve("kit"));
        for (String name : List.of("logs", "agents/7.0")) {
            Files.createDirectories(folder.resolve(name));
        }
        for (int number = 0; number < 3 * TASKS; number++) {
            Files.writeString(folder.resolve("logs/" + number + "-a_t.1.out"), "");
        }
        try (Journal journal = journal()) {
            RunJournal run = new RunJournal(journal);
            run.begin("first", 5);
            run.event(new Event.Opened(5));
            for (String id : List.of("a", "b", "c")) {
                run.event(new Event.Grown(6, Addition.of(new Origin(id, "ann", 0, ""), tasks(id))));
            }
            run.event(new Event.Dropped(7, 0, TASKS));
            run.event(new Event.Dropped(8, 2 * TASKS, TASKS));
            run.commit();
        }
    }

    private static Workflow tasks(String id) {
        WorkflowBuilder builder = new WorkflowBuilder(id);
        for (int i = 0; i < TASKS; i++) {
            builder.command(builder.task(id + "/" + i), Command.of(List.of("true")));
        }
        return builder.build();
    }

    private Journal journal() throws IOException {
        return Journal.open(folder.resolve("journal"), "test", message -> {});
    }

    private Takeover.Restored takeOver() throws IOException {
        Strategy strategy = SpecifiedManager.strategy("auto", spec, NOTHING, WaitMemory.NONE);
        try (Journal journal = journal()) {
            return new Takeover(
                            new Volumes(folder),
                            "first",
                            new RunJournal(journal),
                            () -> SpecifiedManager.manager(
                                    folder, spec, NOTHING, strategy, new NoQueries(), DecisionSink.NOTHING),
                            strategy)
                    .restore(
                            TASKS,
                            new ControlRequestQueue(new ControlFolder(folder), () -> {}, 1_000, message -> {}),
                            message -> {});
        }
    }

    @Test
    void endedWorkflowsAreArchivedAndOthersContinue() throws IOException {
        // The request was applied by a process that ended before it removed the file.
        new ControlFolder(folder).put(new ControlRequest.Submit(new Origin("a", "ann", 0, ""), tasks("a"), List.of()));
        Takeover.Restored restored = takeOver();
        Manager manager = restored.manager();
        assertThat(manager.workflow().size()).isEqualTo(TASKS);
        assertThat(manager.workflow().id(0)).isEqualTo("b/0");
        Forest.ForestWorkflow remaining = restored.forest().parts().get(0);
        assertThat(remaining.first()).isZero();
        assertThat(remaining.number())
                .as("its number for agents does not change")
                .isEqualTo(TASKS);
        assertThat(new ControlFolder(folder).isEmpty()).isTrue();
        assertVolume();
        assertThat(ManagerState.of(takeOver().manager())).isEqualTo(ManagerState.of(manager));
    }

    private void assertVolume() throws IOException {
        Path volume = folder.resolve("past/0001");
        assertThat(folder.resolve("past/0002")).doesNotExist();
        assertThat(Service.of(volume)).isEqualTo(Service.of(folder));
        RecordedRun past = RecordedRun.open(volume);
        assertThat(past.history().forest().parts())
                .extracting(part -> part.origin().id())
                .containsExactly("a", "b", "c");
        for (int number = 0; number < 3 * TASKS; number++) {
            String log = "logs/" + number + "-a_t.1.out";
            boolean open = number >= TASKS && number < 2 * TASKS;
            assertThat((open ? folder : volume).resolve(log)).exists();
            assertThat((open ? volume : folder).resolve(log)).doesNotExist();
        }
        assertThat(volume.resolve("agents/7.0")).exists();
        assertThat(folder.resolve("journal/000001.log")).doesNotExist();
        assertThat(volume.resolve("journal/000001.log")).exists();
    }

    /** The journal's files are moved last; a process killed before that leaves some or all files where they were. */
    @Test
    void archivingContinuesAfterAKilledProcess() throws IOException {
        String before = ManagerState.of(takeOver().manager());
        Path volume = folder.resolve("past/0001");
        for (List<String> remaining : List.of(
                List.of("journal/000001.log"),
                List.of("journal/000001.log", "agents/7.0"),
                List.of("journal/000001.log", "agents/7.0", "logs/0-a_t.1.out"))) {
            for (String each : remaining) {
                Files.move(volume.resolve(each), folder.resolve(each));
            }
            assertThat(ManagerState.of(takeOver().manager())).isEqualTo(before);
            assertVolume();
        }
    }

    /** Until the snapshot is durable, a volume is a folder without a journal, and is used again. */
    @Test
    void aVolumeWithoutADurableSnapshotIsUsedAgain() throws IOException {
        Files.createDirectories(folder.resolve("past/0001"));
        Files.writeString(folder.resolve("past/0001/run.json"), "torn");
        takeOver();
        assertVolume();
    }

    @Test
    void theLogOfAClusterWithoutPilotJobsIsArchived() throws IOException {
        Files.createDirectories(folder.resolve("cluster"));
        Files.writeString(folder.resolve("cluster/what"), "it");
        new Volumes(folder).archiveCluster();
        assertThat(folder.resolve("cluster")).doesNotExist();
        assertThat(folder.resolve("past/0001/cluster/what")).exists();
        takeOver();
        assertVolume();
    }

    /** A manager that only replays sends no queries. */
    private static final class NoQueries implements StartEstimator {
        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            throw new AssertionError("a replay sent a query");
        }

        @Override
        public Basis basis() {
            return Basis.NONE;
        }
    }
}
