package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.formats.wfformat.WfFormat;
import io.sheaf.testing.Shared;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The published results of the study, its workflows and its orders that break ties. */
final class PublishedData {
    private static final String RESULTS = "reference/portfolio/";
    private static final Map<String, String> FILES = Map.of(
            "W2", "epigenomics-chameleon-ilmn-4seq-50k-001",
            "W3", "bwa-chameleon-large-003",
            "W4", "cycles-chameleon-2l-2c-12p-001",
            "W5", "1000genome-chameleon-8ch-250k-001",
            "W6", "blast-chameleon-medium-002",
            "W7", "soykb-chameleon-10fastq-20ch-001",
            "W8", "srasearch-chameleon-10a-003");

    private static final Map<String, Workflow> READ = new HashMap<>();

    private PublishedData() {}

    /** A line of a result file; the algorithm of a portfolio is −1. */
    record Result(String workflow, String platform, int algorithm, double makespan, double joules, String sequence) {}

    static List<String> workflows() {
        return FILES.keySet().stream().sorted().toList();
    }

    static synchronized Workflow workflow(String name) {
        return READ.computeIfAbsent(name, key -> {
            Source source = Source.of(Shared.path("data/jsspp2022/workflows/" + FILES.get(key) + ".json"));
            WfFormat format = new WfFormat();
            return format.read(source, format.fileEdgesByDefault());
        });
    }

    static Scenario scenario(String workflow, String platform, boolean portfolio) {
        Workflow read = workflow(workflow);
        Source order = Source.of(Shared.path(RESULTS + "taskorder_" + workflow + ".csv"));
        return new Scenario(
                read, Platforms.of(platform), Model.PUBLISHED, TaskOrders.read(order, read, platform, portfolio));
    }

    /** The results without noise of the available workflows. */
    static List<Result> ideal() {
        List<Result> results = new ArrayList<>();
        for (String[] row : rows("ideal.csv")) {
            if (FILES.containsKey(row[0])) {
                results.add(new Result(
                        row[0],
                        row[1],
                        Integer.parseInt(row[3]),
                        Double.parseDouble(row[4]),
                        Double.parseDouble(row[5]),
                        row.length > 6 ? row[6] : ""));
            }
        }
        assertThat(results).isNotEmpty();
        return results;
    }

    /** The makespans of the 36 algorithms, by workflow and platform. */
    static Map<String, double[]> makespans() {
        Map<String, double[]> makespans = new LinkedHashMap<>();
        for (Result result : ideal()) {
            if (result.algorithm() >= 0) {
                makespans
                                .computeIfAbsent(result.workflow() + " " + result.platform(), key -> new double[36])[
                                result.algorithm()] =
                        result.makespan();
            }
        }
        return makespans;
    }

    static List<String[]> rows(String file) {
        try (Stream<String> lines = Files.lines(Shared.path(RESULTS + file))) {
            List<String[]> rows = lines.skip(1).map(line -> line.split(",")).toList();
            assertThat(rows).as(file).isNotEmpty();
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
