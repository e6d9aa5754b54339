package io.sheaf.formats.wfformat;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.testing.Shared;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares real workflows with their known figures. */
class WfFormatSharedTest {
    private final WfFormat format = new WfFormat();

    @Test
    void figuresOfRealWorkflowsEqualTheKnownOnes() throws IOException {
        Map<String, Map<String, String>> known = knownFigures();
        List<Path> files = new ArrayList<>(Shared.files("data/workflows/wfformat", ".json"));
        files.addAll(Shared.files("data/workflows/wfformat", ".json.gz"));
        files.addAll(Shared.files("data/jsspp2022/workflows", ".json"));
        assertThat(files).hasSizeGreaterThan(30);
        for (Path file : files) {
            String name = Shared.path("data").relativize(file).toString();
            assertThat(known).containsKey(name);
            Map<String, String> row = Objects.requireNonNull(known.get(name));
            Workflow workflow = format.read(Source.of(file), format.fileEdgesByDefault());
            assertThat(figures(workflow, row.keySet())).as(name).isEqualTo(row);
        }
    }

    @Test
    void allVersionsOfAWorkflowAreTheSameWorkflow() {
        List<Path> files = Shared.files("data/workflows/wfformat/schema-versions", ".json");
        assertThat(files).hasSize(6);
        Workflow newest = format.read(Source.of(files.get(5)), false);
        for (Path file : files) {
            Workflow workflow = format.read(Source.of(file), false);
            assertThat(sorted(workflow)).as(file.toString()).isEqualTo(sorted(newest));
        }
    }

    @Test
    void edgesFromFilesEqualTheListedEdges() {
        for (Path file : Shared.files("data/workflows/wfformat", ".json")) {
            Workflow original = format.read(Source.of(file), false);
            SameWorkflow.assertSame(original, format.read(Source.of(file), true));
        }
    }

    /** All properties of the tasks, without the order of their files, which some versions changed. */
    private static List<String> sorted(Workflow workflow) {
        return IntStream.range(0, workflow.size())
                .mapToObj(task -> SameWorkflow.describe(workflow, task))
                .map(text -> Arrays.stream(text.split("\n"))
                        .map(line -> line.startsWith("inputs") || line.startsWith("outputs") ? words(line) : line)
                        .toList()
                        .toString())
                .sorted()
                .toList();
    }

    private static String words(String line) {
        return Arrays.stream(line.split("[ ,\\[\\]]+")).sorted().toList().toString();
    }

    private static Map<String, String> figures(Workflow w, Iterable<String> columns) {
        Map<String, String> figures = new LinkedHashMap<>();
        for (String column : columns) {
            figures.put(
                    column,
                    switch (column) {
                        case "tasks" -> Integer.toString(w.size());
                        case "edges" -> Integer.toString(w.edges());
                        case "levels" -> Integer.toString(w.levels());
                        case "max width" -> Integer.toString(w.maxWidth());
                        case "total core-s" -> seconds(w.totalMicros());
                        case "critical path s" -> seconds(w.criticalPathMicros());
                        default -> throw new IllegalArgumentException(column);
                    });
        }
        return figures;
    }

    private static String seconds(long micros) {
        return Long.toString(Math.round(micros / (double) TimeText.SECOND));
    }

    /** The rows of the table in PROVENANCE.md whose first column is a JSON file, with the columns compared here. */
    private static Map<String, Map<String, String>> knownFigures() throws IOException {
        List<String> compared = List.of("tasks", "edges", "levels", "max width", "total core-s", "critical path s");
        Map<String, Map<String, String>> known = new LinkedHashMap<>();
        List<String> header = List.of();
        for (String line : Files.readAllLines(Shared.path("data/PROVENANCE.md"))) {
            if (!line.startsWith("|")) {
                continue;
            }
            List<String> cells = Arrays.stream(line.substring(1).split("\\|", -1))
                    .map(String::strip)
                    .toList();
            if (cells.get(0).equals("file")) {
                header = cells;
            } else if (cells.get(0).matches(".*\\.json(\\.gz)?") && header.contains("max width")) {
                Map<String, String> row = new LinkedHashMap<>();
                for (String column : compared) {
                    row.put(column, cells.get(header.indexOf(column)));
                }
                known.put(cells.get(0), row);
            }
        }
        return known;
    }
}
