package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.runtime.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run counts as removed if its journal was deleted, moved or replaced. */
class RunPlaceTest {
    @TempDir
    Path folder = Path.of("");

    private Journal open() throws IOException {
        return Journal.open(folder.resolve("run/journal"), "test", message -> {});
    }

    @Test
    void aMovedOrDeletedRunCountsAsRemoved() throws IOException {
        try (Journal journal = open()) {
            RunPlace place = RunPlace.of(journal);
            assertThat(place.isRemoved()).isFalse();
            Files.move(folder.resolve("run"), folder.resolve("elsewhere"));
            assertThat(place.isRemoved()).isTrue();
            Files.move(folder.resolve("elsewhere"), folder.resolve("run"));
            assertThat(place.isRemoved()).as("moved back").isFalse();
            Files.delete(journal.file());
            assertThat(place.isRemoved()).isTrue();
        }
    }

    @Test
    void anotherRunInTheSameFolderReplacesThisOne() throws IOException {
        try (Journal journal = open()) {
            RunPlace place = RunPlace.of(journal);
            Files.move(folder.resolve("run"), folder.resolve("old"));
            try (Journal other = open()) {
                assertThat(other.file()).isEqualTo(journal.file());
                assertThat(place.isRemoved()).isTrue();
                assertThat(place.isReplaced()).isTrue();
                assertThat(RunPlace.of(other).isRemoved()).isFalse();
                assertThat(RunPlace.of(other).isReplaced()).isFalse();
            }
            try (Journal successor = open()) {
                assertThat(successor.epoch()).isEqualTo(2);
                assertThat(place.isRemoved())
                        .as("the other run does not own its jobs")
                        .isTrue();
            }
        }
    }

    /** The other process manages the jobs. */
    @Test
    void aRunTakenOverByAnotherProcessIsNotRemoved() throws IOException {
        try (Journal journal = open();
                Journal successor = open()) {
            RunPlace place = RunPlace.of(journal);
            Files.delete(journal.file());
            assertThat(place.isRemoved()).isFalse();
            assertThat(RunPlace.of(successor).isRemoved()).isFalse();
        }
    }
}
