package io.sheaf.formats.wfformat;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reading of small files of every version and of unusual files from practice. */
class WfFormatReadTest {
    private final WfFormat format = new WfFormat();

    @Test
    void readsTasksTimesCommandsAndFiles() {
        Workflow w = resource("dinner-1.5.json");
        assertThat(w.name()).isEqualTo("dinner");
        assertThat(w.size()).isEqualTo(4);
        assertThat(w.edges()).isEqualTo(4);
        int cook = w.find("cook_ID0000003");
        assertThat(cook).isEqualTo(2);
        assertThat(w.timeMicros(cook)).isEqualTo(99_000_001);
        assertThat(w.category(cook)).isEqualTo(Category.named("cook"));
        assertThat(w.resources(cook)).isEqualTo(new Resources(2, 94_832_000, 0, 1));
        assertThat(w.priority(cook)).isEqualTo(30);
        assertThat(w.command(cook)).isEqualTo(Command.of(List.of("cook", "b.txt")));
        assertThat(w.fileName(w.output(cook, 0))).isEqualTo("b.out");
        assertThat(w.fileSize(w.output(cook, 0))).isEqualTo(60);
        assertThat(w.timeMicros(w.find("serve_ID0000004"))).isZero();
        // 1.5 + 120.25 + 0
        assertThat(w.criticalPathMicros()).isEqualTo(121_750_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.2", "1.3", "1.4", "1.5-early", "1.5-execution-first"})
    void everyVersionReadsAsTheSameWorkflow(String version) {
        SameWorkflow.assertSame(resource("dinner-1.5.json"), resource("dinner-" + version + ".json"));
    }

    @Test
    void readsFilesOfNextflow() {
        Workflow w = resource("nextflow.json");
        assertThat(w.category(0).name()).isEqualTo("QC.FASTQC");
        assertThat(w.category(2).name()).isEqualTo("QC.MULTIQC");
        // Only the parent lists one edge, and only the child lists the other.
        assertThat(w.parents(2)).isEqualTo(2);
        assertThat(w.command(0)).isEqualTo(Command.script("fastqc in.fq\n  ls"));
        assertThat(w.command(1)).isNull();
        assertThat(w.command(2)).isNull();
        assertThat(w.timeMicros(1)).isEqualTo(Workflow.UNKNOWN);
        assertThat(w.timeMicros(2)).isZero();
        assertThat(w.resources(0)).isEqualTo(new Resources(2, 0, 0, 1));
        assertThat(w.fileSize(w.input(0, 0))).isZero();
        assertThat(w.fileSize(w.output(0, 0))).isEqualTo(Workflow.UNKNOWN);
    }

    @Test
    void tasksAreNamedByIdIfNamesAreNotUnique() {
        Workflow w = resource("same-names.json");
        assertThat(ids(w)).containsExactly("t1", "t2", "t3", "t4");
        assertThat(w.category(1).name()).isEqualTo("align");
        assertThat(w.parents(2)).isEqualTo(2);
        assertThat(w.parent(3, 0)).isEqualTo(2);
    }

    @Test
    void tasksAreNamedByIdIfNamesAreMissing() {
        Workflow w = resource("ids-and-names.json");
        assertThat(ids(w)).containsExactly("1", "2", "3", "4");
        assertThat(w.name()).isEqualTo("ids-and-names");
        assertThat(w.edges()).isEqualTo(4);
        assertThat(w.levels()).isEqualTo(4);
        assertThat(w.timeMicros(0)).isEqualTo(Workflow.UNKNOWN);
    }

    @Test
    void newerKeysOverrideOlderKeysInAnyOrder() {
        String task = "\"name\": \"a\", \"files\": [{\"name\": \"f\", \"link\": \"input\", %s}], %s";
        for (String keys : List.of(
                String.format(
                        task,
                        "\"size\": 1, \"sizeInBytes\": 2",
                        "\"runtime\": 1, \"runtimeInSeconds\": 2, \"cores\": 3, \"coreCount\": 4, \"memory\": 5, \"memoryInBytes\": 6"),
                String.format(
                        task,
                        "\"sizeInBytes\": 2, \"size\": 1",
                        "\"runtimeInSeconds\": 2, \"runtime\": 1, \"coreCount\": 4, \"cores\": 3, \"memoryInBytes\": 6, \"memory\": 5"))) {
            Workflow w = text("{\"workflow\": {\"tasks\": [{" + keys + "}]}}");
            assertThat(w.timeMicros(0)).isEqualTo(2_000_000);
            assertThat(w.resources(0)).isEqualTo(new Resources(4, 6, 0, 1));
            assertThat(w.fileSize(0)).isEqualTo(2);
        }
    }

    @Test
    void numbersWithExtremeExponentsAreRead() {
        Workflow w =
                text("{\"workflow\": {\"tasks\": [{\"name\": \"a\", \"runtime\": 1e-999999999, \"cores\": 1e-999999999,"
                        + " \"memory\": 0e999999999, \"priority\": -1e-999999999}]}}");
        assertThat(w.timeMicros(0)).isZero();
        assertThat(w.resources(0)).isEqualTo(Resources.ONE_CORE);
        assertThat(w.priority(0)).isZero();
    }

    @Test
    void unknownKeysOfAnyKindAreSkipped() {
        Workflow w = text(
                "{\"x\": [[{}]], \"workflow\": {\"y\": {\"z\": [1, null]}, \"specification\": {\"q\": true, \"tasks\":"
                        + " [{\"id\": \"a\", \"color\": {\"r\": 1}, \"machines\": 7}]}, \"execution\": {\"w\": [], \"tasks\": [{\"v\": {}, \"id\":"
                        + " \"a\"}]}}}");
        assertThat(ids(w)).containsExactly("a");
    }

    @Test
    void anOverriddenOlderKeyIsSkippedWithItsValue() {
        Workflow w = text("{\"name\": \"w\", \"workflow\": {\"tasks\": [{\"name\": \"a\", \"runtimeInSeconds\": 2,"
                + " \"runtime\": {\"name\": \"b\"}, \"memoryInBytes\": 1, \"memory\": [{\"id\": \"c\"}]}]}}");
        assertThat(ids(w)).containsExactly("a");
        assertThat(w.timeMicros(0)).isEqualTo(2_000_000);
    }

    @Test
    void compressedFilesAreRead() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(bytes("dinner-1.4.json"));
        }
        Workflow w = format.read(Source.of("dinner.json.gz", bytes.toByteArray()), false);
        SameWorkflow.assertSame(resource("dinner-1.5.json"), w);
    }

    @Test
    void edgesFromFilesAreAddedOnRequest() {
        byte[] text =
                ("{\"workflow\": {\"specification\": {\"tasks\": [{\"id\": \"user\", \"inputFiles\": [\"f\"]}, {\"id\": \"maker\","
                                + " \"outputFiles\": [\"f\"]}]}}}")
                        .getBytes(StandardCharsets.UTF_8);
        assertThat(format.read(Source.of("w.json", text), false).edges()).isZero();
        assertThat(format.read(Source.of("w.json", text), true).edges()).isEqualTo(1);
    }

    @Test
    void theFormatHasANameATitleAndSuffixes() {
        assertThat(format.name()).isEqualTo("wfformat");
        assertThat(format.title()).isEqualTo("WfCommons WfFormat 1.0 to 1.5 (JSON)");
        assertThat(format.suffixes()).containsExactly(".json");
    }

    private static List<String> ids(Workflow w) {
        return IntStream.range(0, w.size()).mapToObj(w::id).toList();
    }

    private Workflow text(String json) {
        return format.read(Source.of("w.json", json.getBytes(StandardCharsets.UTF_8)), false);
    }

    private Workflow resource(String name) {
        return format.read(Source.of(name, bytes(name)), false);
    }

    static byte[] bytes(String name) {
        try (InputStream in = WfFormatReadTest.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
