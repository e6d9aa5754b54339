package io.sheaf.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SingleTaskTest {
    private static final SingleTask TASK = new SingleTask(
            "12e896154f588448",
            "/data/a b",
            "align",
            new Resources(2, 500L << 20, 0, 3),
            180_000_000,
            SingleTask.NO_LIMIT,
            1,
            List.of("aa", "bb"),
            List.of("/x/job.sh", "two\nlines", "", "é"));

    private static final List<String> FIELDS = List.of(
            "sheaf-task 1",
            "12e896154f588448",
            "/data/a b",
            "align",
            "2",
            "500M",
            "3",
            "3m",
            "1",
            " aa bb",
            "/x/job.sh",
            "two\nlines",
            "",
            "é");

    private static byte[] bytes(List<String> fields) {
        return (String.join("\0", fields) + "\0").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aTaskIsReadFromText() throws IOException {
        assertThat(SingleTask.read(bytes(FIELDS))).isEqualTo(TASK);
        ControlRequest request = ControlRequestCodec.read(bytes(FIELDS));
        assertThat(ControlRequestCodec.bytes(request))
                .as("the same as a request made in Java")
                .isEqualTo(ControlRequestCodec.bytes(TASK.request()));
    }

    @Test
    void theLimitReachesTheWorkflow() throws IOException {
        SingleTask limited =
                new SingleTask("a", "/f", "align", TASK.needed(), 1_000, 2_000_000, 0, List.of(), List.of("true"));
        ControlRequest.Submit read =
                (ControlRequest.Submit) ControlRequestCodec.read(ControlRequestCodec.bytes(limited.request()));
        assertThat(read.tasks().limitMicros(0)).isEqualTo(2_000_000);
        assertThat(TASK.request().tasks().limitMicros(0)).isNotPositive();
    }

    @Test
    void malformedTasksAreRefused() {
        List<List<String>> wrong = new ArrayList<>();
        wrong.add(FIELDS.subList(0, 10));
        for (int place : new int[] {0, 4, 5, 6, 7, 8}) {
            List<String> other = new ArrayList<>(FIELDS);
            other.set(place, "sheaf-x");
            wrong.add(other);
        }
        for (List<String> fields : wrong) {
            assertThatThrownBy(() -> ControlRequestCodec.read(bytes(fields)))
                    .as(fields.toString())
                    .isInstanceOf(IOException.class);
        }
        byte[] whole = bytes(FIELDS);
        assertThatThrownBy(() -> ControlRequestCodec.read(Arrays.copyOf(whole, whole.length - 1)))
                .isInstanceOf(IOException.class);
    }
}
