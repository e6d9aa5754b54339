package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code simulate --platform}. */
class PlatformOptionsTest {
    @TempDir
    Path folder = Path.of("");

    private String workflow = "";

    /** Two tasks without files, so that times are pure computing times: b after a. */
    @BeforeEach
    void writeFiles() throws IOException {
        workflow = Files.writeString(folder.resolve("w.yaml"), """
                        name: pair
                        tasks:
                          a: {time: 100s}
                          b: {time: 50s, after: a}
                        """).toString();
    }

    private Run simulate(String... more) {
        String[] line = new String[more.length + 2];
        line[0] = "simulate";
        line[1] = workflow;
        System.arraycopy(more, 0, line, 2, more.length);
        return Run.of(line);
    }

    /**
     * On P4, A8 selects the fastest cluster (300 Gflop/s) and 8 cores. α of a is 0.9593086, of b 0.8366870:
     * 100/3 · (0.9593086/8 + 0.0406914) + 50/3 · (0.8366870/8 + 0.1633130) = 5.353499 + 4.464982 = 9.818481 s.
     */
    @Test
    void aRunMatchesAHandComputedExample() {
        Run run = simulate("--platform", "P4", "--algorithm", "A8", "--json");
        assertThat(run.err()).isEmpty();
        assertThat(run.out().replaceAll("\\s+", "")).startsWith("""
                {"makespanSeconds":9.818481,"platform":"P4","model":"paper","algorithm":"A8","bytesMoved":0,\
                "remoteBytes":0,"idleCoreSeconds":7462.046,"energyJoules":10282.796,"rounds":[],"tasks":[{"id":"a",\
                "cluster":"cluster3","node":0,"cores":8,"startSeconds":0.000000,"readSeconds":0.000000,\
                "computedSeconds":5.353499,"endSeconds":5.353499},""");
    }

    @Test
    void thePublishedModelAddsRoundTrips() {
        Run run = simulate("--platform", "P4", "--algorithm", "A8", "--json", "--model", "published");
        // At least two round trips of more than 1.3 ms to every cluster before each of the two tasks.
        assertThat(run.out()).contains("\"model\" : \"published\"").contains("\"makespanSeconds\" : 9.84");
    }

    @Test
    void aPortfolioReportsItsSimulations() throws IOException {
        Path page = folder.resolve("run.html");
        Run run = simulate("--platform", "P1", "--json", "--prune", "--html", page.toString());
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("\"algorithm\" : \"portfolio\"").contains("\"simulated\" : ");
        assertThat(run.out().split("\"reported\"")).hasSizeGreaterThan(36);
        String html = Files.readString(page);
        assertThat(html)
                .contains("<svg class=\"gantt\"")
                .contains("<title>a: 8 cores")
                .contains("Algorithm selections");
        assertThat(simulate("--platform", "P1").out())
                .startsWith("pair with portfolio on P1, 768 cores, model paper")
                .contains("makespan ")
                .contains("energy ");
    }

    @Test
    void taskOrderBreaksTies() throws IOException {
        Path two = folder.resolve("two.yaml");
        Files.writeString(two, "name: two\ntasks:\n  a: {time: 10s}\n  b: {time: 10s}\n");
        Path order = Files.writeString(folder.resolve("order"), "b\na\n");
        String first = Run.of("simulate", two.toString(), "--platform", "P1", "--algorithm", "A8", "--json")
                .out();
        String reordered = Run.line("simulate " + two.toString() + " --platform P1 --algorithm A8 --json --task-order "
                        + order.toString())
                .out();
        assertThat(first.replaceAll("\\s+", "")).contains("\"id\":\"a\",\"cluster\":\"cluster1\",\"node\":0");
        assertThat(reordered.replaceAll("\\s+", "")).contains("\"id\":\"b\",\"cluster\":\"cluster1\",\"node\":0");
    }

    @Test
    void invalidOptionsAreRefused() {
        assertThat(simulate("--platform", "P1", "--trace", "x").status()).isEqualTo(2);
        assertThat(simulate("--platform", "P1", "--alpha", "0").status()).isEqualTo(2);
        Run model = simulate("--platform", "P1", "--model", "papr");
        assertThat(model.status()).isEqualTo(3);
        assertThat(model.err()).contains("unknown platform model 'papr'. Did you mean 'paper'?");
        assertThat(simulate("--platform", "P1", "--algorithm", "A99").err()).contains("A0 to A35");
        assertThat(simulate("--platform", "P12").err()).contains("unknown platform 'P12'");
    }
}
