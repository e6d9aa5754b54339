package io.sheaf.formats.wfformat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Tests the whole text of every error message of the WfFormat reader. */
class WfFormatErrorTest {
    private final WfFormat format = new WfFormat();

    // --- JSON ---

    @Test
    void emptyFile() {
        refuses("", "w.json:1: a WfFormat file contains one JSON object in braces, but here is nothing");
    }

    @Test
    void notAnObject() {
        refuses(" [1]", "w.json:1:2: a WfFormat file contains one JSON object in braces, but here is a list");
    }

    @Test
    void textAfterTheObject() {
        refuses(
                workflow("{'name': 'a'}") + "\n{}",
                "w.json:2:1: there is an object after the end; a WfFormat file contains one JSON object");
    }

    @Test
    void truncatedFile() {
        refuses("{'workflow': {'tasks': [", "w.json:1:25: the text ends in the middle; the file is incomplete");
    }

    @Test
    void notJson() {
        refuses(
                "{'name': yes}",
                "w.json:1:10: this is not JSON: Unrecognized token 'yes': was expecting (JSON String, Number, Array, Object or"
                        + " token 'null', 'true' or 'false')");
    }

    @Test
    void missingComma() {
        refuses(
                "{'name': 'a'\n 'workflow': 1}",
                "w.json:2:2: this is not JSON: Unexpected character ('\"' (code 34)): was expecting comma to separate Object entries");
    }

    @Test
    void notText() {
        byte[] bytes = "{'name': '?'}".replace('\'', '"').getBytes(StandardCharsets.US_ASCII);
        bytes[10] = (byte) 0xff;
        refuses(bytes, "w.json:1:12: this is not JSON: Invalid UTF-8 start byte 0xff");
    }

    @Test
    void duplicateKey() {
        refuses("{'name': 'a',\n 'name': 'b'}", "w.json:2:8: duplicate key 'name' in an object; remove one");
    }

    @Test
    void nestedTooDeep() {
        refuses(
                "{'x': " + "[".repeat(100_000),
                "w.json:1:107: lists and objects nest more than 100 deep; Sheaf does not read that");
    }

    @Test
    void numberTooLong() {
        refuses(
                workflow("{'name': 'a', 'runtime': " + "1".repeat(201) + "}"),
                "w.json:1:251: a number has more than 200 characters; Sheaf does not read that");
    }

    @Test
    void stringTooLong() {
        refuses(
                "{'name': '" + "x".repeat(JsonCursor.LONGEST_STRING + 1) + "'}",
                "w.json:1:16777215: a string has more than 16777216 characters; Sheaf does not read that");
    }

    @Test
    void truncatedGzipFile() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(WfFormatReadTest.bytes("dinner-1.4.json"));
        }
        refuses(Arrays.copyOf(bytes.toByteArray(), 200), "w.json: cannot be read: Unexpected end of ZLIB input stream");
    }

    // --- kinds of values ---

    @Test
    void stringForNumber() {
        refuses(workflow("{'name': 'a',\n 'runtime': '12'}"), "w.json:2:13: 'runtime' must be a number, not a string");
    }

    @Test
    void numberForString() {
        refuses(workflow("{'name': 12}"), "w.json:1:34: 'name' must be a string, not a number");
    }

    @Test
    void stringForList() {
        refuses(workflow("{'name': 'a', 'parents': 'b'}"), "w.json:1:50: 'parents' must be a list, not a string");
    }

    @Test
    void nullInList() {
        refuses(workflow("{'name': 'a', 'parents': [null]}"), "w.json:1:51: 'parents' must be a string, not null");
    }

    @Test
    void listForObject() {
        refuses("{'workflow': []}", "w.json:1:14: 'workflow' must be an object, not a list");
    }

    @Test
    void booleanForObject() {
        refuses(
                workflow("{'name': 'a', 'command': true}"),
                "w.json:1:50: 'command' must be an object, not a truth value");
    }

    @Test
    void objectForString() {
        refuses("{'name': {}}", "w.json:1:10: 'name' must be a string, not an object");
    }

    @Test
    void coresOutOfBounds() {
        refuses(workflow("{'name': 'a', 'cores': 0}"), "w.json:1:48: 'cores' must be between 1 and 2147483647, not 0");
    }

    @Test
    void memoryOutOfBounds() {
        refuses(
                workflow("{'name': 'a', 'memory': 1e17}"),
                "w.json:1:49: 'memory' must be between 0 and 9223372036854775, not 1e17");
    }

    @Test
    void numberOutOfRange() {
        refuses(workflow("{'name': 'a', 'memory': 1e99999999999}"), "w.json:1:49: 'memory' is out of range");
    }

    @Test
    void timeTooLong() {
        refuses(workflow("{'name': 'a', 'runtime': 1e15}"), "w.json:1:50: 1E+15 seconds is too long a time");
    }

    // --- the structure ---

    @Test
    void notWfFormat() {
        refuses("{'name': 'a'}", "w.json:1:1: there is no 'workflow' in it; is this a WfFormat file?");
    }

    @Test
    void unknownVersion() {
        refuses(
                "{'schemaVersion': '2.0'}",
                "w.json:1:19: version '2.0' of WfFormat is not supported; Sheaf reads 1.0 to 1.5");
    }

    @Test
    void noTasks() {
        refuses(
                "{'workflow': {'execution': {'tasks': []}}}",
                "w.json:1:14: there are no tasks: 'workflow' has neither 'specification' nor 'tasks' nor 'jobs'");
    }

    @Test
    void noTasksInSpecification() {
        refuses(
                "{'workflow': {'specification': {}}}",
                "w.json:1:32: there are no tasks: 'specification' has no 'tasks'");
    }

    @Test
    void twoListsOfTasks() {
        refuses(
                "{'workflow': {'tasks': [], 'jobs': []}}",
                "w.json:1:36: tasks are listed in 'tasks' and again in 'jobs'; keep one of them");
    }

    // --- tasks ---

    @Test
    void taskWithoutId() {
        refuses(specification("{'name': 'a'}"), "w.json:1:44: a task has no 'id'; give it a unique one");
    }

    @Test
    void taskWithoutName() {
        refuses(workflow("{'runtime': 1}"), "w.json:1:25: a task has no 'name'; give it a unique one");
    }

    @Test
    void emptyId() {
        refuses(specification("{'id': ''}"), "w.json:1:44: a task has an empty id; give it a name");
    }

    @Test
    void duplicateTask() {
        refuses(
                specification("{'id': 'a'},\n{'id': 'a'}"),
                "w.json:2:1: task 'a' is declared twice (first at 1:44); ids must differ");
    }

    @Test
    void negativeTime() {
        refuses(
                workflow("{'name': 'a', 'runtime': -0.0000001}"),
                "w.json:1:50: task 'a' has a negative run time; a run time is 0 or more");
    }

    @Test
    void edgeToAnUnknownTask() {
        refuses(
                workflow("{'name': 'cook', 'children': ['serve']},\n{'name': 'serv'}"),
                "w.json:1:55: task 'cook' has an edge with 'serve', but there is no task 'serve'. Did you mean 'serv'?");
    }

    @Test
    void ambiguousTaskName() {
        refuses(
                workflow(
                        "{'name': 'a', 'id': '1'}, {'name': 'a', 'id': '2'},\n{'name': 'b', 'id': '3', 'parents': ['a']}"),
                "w.json:2:38: 'a' is the name of several tasks; refer to one by its id");
    }

    @Test
    void cycle() {
        refuses(
                workflow("{'name': 'a', 'parents': ['b']},\n{'name': 'b', 'parents': ['a']}"),
                "w.json:1:25: the tasks form a cycle: a -> b -> a; remove one of these dependencies");
    }

    // --- executions ---

    @Test
    void executionWithoutId() {
        refuses(
                execution("{'runtimeInSeconds': 1}"),
                "w.json:2:25: an entry in 'execution' has no 'id'; give it that of its task");
    }

    @Test
    void executionOfAnUnknownTask() {
        refuses(
                execution("{'id': 'b'}"),
                "w.json:2:25: 'execution' has task 'b', but 'specification' has no such task");
    }

    @Test
    void duplicateExecution() {
        refuses(
                execution("{'id': 'a'},\n{'id': 'a'}"),
                "w.json:3:1: task 'a' has two entries in 'execution'; keep one of them");
    }

    // --- files ---

    @Test
    void fileWithoutName() {
        refuses(
                workflow("{'name': 'a', 'files': [{'link': 'input'}]}"),
                "w.json:1:49: a file has no 'name'; give it one");
    }

    @Test
    void fileWithoutLink() {
        refuses(
                workflow("{'name': 'a', 'files': [{'name': 'f', 'link': 'both'}]}"),
                "w.json:1:49: the 'link' of file 'f' must be \"input\" or \"output\"");
    }

    @Test
    void fileWithoutId() {
        refuses(
                "{'workflow': {'specification': {'files': [{'sizeInBytes': 1}]}}}",
                "w.json:1:43: a file has no 'id'; give it a unique one");
    }

    @Test
    void fileOfTwoSizes() {
        refuses(
                "{'workflow': {'specification': {'files': [{'id': 'f', 'sizeInBytes': 1},\n{'id': 'f', 'sizeInBytes': 2}]}}}",
                "w.json:2:1: file 'f' is listed with two sizes, 1 and 2; keep one");
    }

    @Test
    void fileWrittenByTwoTasks() {
        byte[] text = json(specification("{'id': 'a', 'outputFiles': ['f']},\n{'id': 'b', 'outputFiles': ['f']}"));
        assertThat(format.read(Source.of("w.json", text), false).size()).isEqualTo(2);
        assertThatThrownBy(() -> format.read(Source.of("w.json", text), true))
                .hasMessage(
                        "w.json:2:1: file 'f' is written by two tasks, 'a' and 'b'; rename one, or use --no-file-edges");
    }

    // --- the extra object ---

    @Test
    void zeroLimit() {
        refuses(
                specification("{'id': 'a', 'sheaf': {'limitInSeconds': 0}}"),
                "w.json:1:84: task 'a' has a limit of 0; remove or raise it");
    }

    @Test
    void scalingWithoutRunTime() {
        refuses(
                specification("{'id': 'a', 'sheaf': {'scaling': [{'coreCount': 2}]}}"),
                "w.json:1:77: 'scaling' must have one 'runtimeInSeconds' of 0 or more for each 'coreCount'");
    }

    @Test
    void categoryWithoutName() {
        refuses(
                "{'workflow': {'specification': {'sheaf': {'categories': [{}]}}}}",
                "w.json:1:58: a category has no 'name'; give it one");
    }

    private static String workflow(String tasks) {
        return "{'workflow': {'tasks': [" + tasks + "]}}";
    }

    private static String specification(String tasks) {
        return "{'workflow': {'specification': {'tasks': [ " + tasks + "]}}}";
    }

    private static String execution(String entries) {
        return "{'workflow': {'specification': {'tasks': [{'id': 'a'}]},\n'execution': {'tasks': [" + entries + "]}}}";
    }

    private void refuses(String text, String message) {
        refuses(json(text), message);
    }

    private static byte[] json(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private void refuses(byte[] text, String message) {
        assertThatThrownBy(() -> format.read(Source.of("w.json", text), false))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }
}
