package io.sheaf.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskRequestTest {
    @Test
    void aTaskHasTheDefaultsOfSubmitTask() {
        TaskRequest request =
                TaskRequest.read("{\"submit\": [{\"id\": \"a\", \"folder\": \"/f\", \"command\": [\"echo\", \"1\"]}]}");
        assertThat(request.cancel()).isEmpty();
        assertThat(request.submit())
                .containsExactly(new TaskRequest.Task(
                        "a", "/f", List.of("echo", "1"), "task", "1", "0", 0, 1, "10m", null, 0, List.of()));
    }

    @Test
    void allFieldsOfATaskAreRead() {
        TaskRequest request = TaskRequest.read(
                "{\"cancel\": [\"x\", \"y\"], \"submit\": [{\"id\": \"b\", \"folder\": \"/f\", \"command\": [\"c\"], \"category\": \"k\","
                        + " \"cores\": 0.5, \"memory\": \"2G\", \"gpus\": 1, \"nodes\": 2, \"time\": \"1h\", \"limit\": \"2h\", \"retries\": 3,"
                        + " \"after\": [\"a\"]}]}");
        assertThat(request.cancel()).containsExactly("x", "y");
        assertThat(request.submit())
                .containsExactly(new TaskRequest.Task(
                        "b", "/f", List.of("c"), "k", "0.5", "2G", 1, 2, "1h", "2h", 3, List.of("a")));
    }

    @Test
    void expectedGroupsAreRead() {
        assertThat(TaskRequest.read("{\"cancel\": []}").expect())
                .as("no change of the expected tasks")
                .isNull();
        assertThat(TaskRequest.read("{\"expect\": []}").expect()).isEmpty();
        assertThat(TaskRequest.read("{\"expect\": [{\"tasks\": 24, \"time\": \"40m\", \"cores\": 2}, {\"tasks\": 1}]}")
                        .expect())
                .containsExactly(
                        new TaskRequest.ExpectedGroup(24, "40m", 2), new TaskRequest.ExpectedGroup(1, "10m", 1));
        assertRefused("{\"expect\": [{\"tasks\": 0}]}", "1 or more tasks");
        assertRefused("{\"expect\": [{\"id\": \"a\"}]}", "unknown key 'id'");
    }

    @Test
    void invalidLinesAreRefusedWithTheReason() {
        assertRefused("nonsense", "not JSON");
        assertRefused("[]", "not a request");
        assertRefused("{\"submit\": {}}", "not a request");
        assertRefused("{\"pause\": []}", "unknown request 'pause'");
        assertRefused("{\"submit\": [{\"id\": \"a\"}]}", "needs id, folder and command");
        assertRefused("{\"submit\": [{\"id\": \"a\", \"cpus\": 1}]}", "unknown key 'cpus'");
        assertRefused(
                "{\"submit\": [{\"id\": \"a\", \"folder\": \"/f\", \"command\": [\"c\"], \"gpus\": \"two\"}]}",
                "task 'a': gpus is 'two', not a number");
    }

    /** None of these lines may count as a request that asks for nothing. */
    @Test
    void malformedRequestsAreRefused() {
        assertRefused("{\"submit\": [\"x\"], \"cancel\": [\"id\"]}", "not a request");
        assertRefused("{\"expect\": [3]}", "not a request");
        assertRefused("{\"cancel\": [\"id\"]} {\"cancel\": [\"id\"]}", "not a request");
        assertRefused("{\"cancel\": [[\"id\"]]}", "in place of a text");
        assertRefused("{\"cancel\": [{\"id\": \"a\"}]}", "in place of a text");
        assertRefused("{\"submit\": [{\"id\": {}, \"folder\": \"/f\", \"command\": [\"c\"]}]}", "in place of a text");
        assertRefused("{\"cancel\": [\"id\"", "not JSON");
    }

    private static void assertRefused(String line, String reason) {
        assertThatThrownBy(() -> TaskRequest.read(line))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(reason);
    }
}
