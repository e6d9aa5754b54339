package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.RealSlurm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the crates that the report command writes for real runs. */
class RunCrateIT {
    private static final String WORKFLOW = """
            name: words
            tasks:
              count:
                foreach: {p: 1..2}
                in: ["in file.txt", "REFERENCE"]
                out: "count.{p}"
                env: {GREETING: "good day"}
                run: 'sleep 1.2; cat "in file.txt" > count.{p}; echo $GREETING $TOKEN >> count.{p}'
              total:
                in: [count.1, count.2]
                out: total.txt
                memory: 100M
                retries: 1
                run: 'test -e once || { touch once; exit 3; }; wc count.* > total.txt'
            """;

    @TempDir
    Path folder = Path.of("");

    @TempDir
    Path other = Path.of("");

    private RealRun run = new RealRun(Path.of(""));

    @BeforeEach
    void prepare() throws IOException {
        run = new RealRun(
                folder, Map.of("TOKEN", "top-secret-7", "TZ", "Asia/Tokyo", "SHEAF_CONTAINER_ENGINE", "/bin/true"));
        Files.writeString(folder.resolve("in file.txt"), "some words\n");
        Files.writeString(other.resolve("reference.txt"), "elsewhere\n");
        Files.writeString(
                folder.resolve("workflow.yaml"),
                WORKFLOW.replace("REFERENCE", other.resolve("reference.txt").toString()));
    }

    private Run report(String... words) {
        String[] all =
                Stream.concat(Stream.of("report", "run"), Stream.of(words)).toArray(String[]::new);
        return Run.in(folder, Map.of("SHEAF_SITE_CONFIG", "nowhere"), all);
    }

    @Test
    void aCrateDescribesTheRun() throws Exception {
        assertThat(run.await(run.start())).as(run.errorOutput()).isZero();
        Run written = report("--crate", "crate", "--licence", "CC-BY-4.0", "--json");
        assertThat(written.err()).isEmpty();
        assertThat(written.out()).contains("\"profile\" : \"Provenance Run Crate 0.5\"", "\"filesReferred\" : 0");
        CheckedCrate crate = new CheckedCrate(folder.resolve("crate"));

        assertThat(CheckedCrate.text(crate.entity("./"), "mainEntity")).contains("workflow/workflow.yaml");
        assertThat(folder.resolve("crate/workflow/workflow.yaml"))
                .hasSameBinaryContentAs(folder.resolve("workflow.yaml"));
        assertThat(CheckedCrate.text(crate.entity("./"), "license")).contains("https://spdx.org/licenses/CC-BY-4.0");
        assertThat(crate.ofType("HowToStep")).hasSize(3);
        assertThat(CheckedCrate.text(crate.entity("#run"), "object"))
                .contains("files/in%20file.txt", "elsewhere" + other.resolve("reference.txt"));
        assertThat(CheckedCrate.text(crate.entity("#run"), "result"))
                .contains("files/total.txt")
                .doesNotContain("count");
        Map<?, ?> first = crate.entity("#task-total/1");
        assertThat(first.get("error")).isEqualTo("exit status 3");
        assertThat(first.containsKey("result")).isFalse();
        Map<?, ?> second = crate.entity("#task-total/2");
        assertThat(CheckedCrate.text(second, "actionStatus")).endsWith("CompletedActionStatus");
        assertThat(CheckedCrate.text(second, "description")).contains("wc count.*");
        assertThat(crate.refs(second, "location")).hasSize(1);
        Map<?, ?> count = crate.entity("#task-count-1/1");
        assertThat(crate.refs(count, "environment").get(0).get("value")).isEqualTo("good day");
        Map<?, ?> cpu = crate.entity("#task-count-1/1/cpu-time");
        assertThat(Double.parseDouble(CheckedCrate.text(cpu, "value"))).isBetween(0.0, 5.0);
        assertThat(Double.parseDouble(CheckedCrate.text(crate.entity("#task-count-1/1/run-time"), "value")))
                .isBetween(1.1, 20.0);
        assertThat(crate.ofType("Action")).isNotEmpty();
        assertThat(CheckedCrate.text(crate.entity("#sheaf-run"), "description")).startsWith("sheaf run workflow.yaml");
    }

    /** The exported workflow has two tasks of at least 1.2 s and a third task after them. */
    @Test
    void aRunIsExportedAndSimulated() throws Exception {
        assertThat(run.await(run.start())).as(run.errorOutput()).isZero();
        Path export = folder.resolve("run.json");
        assertThat(Run.of("convert", folder.resolve("run").toString(), export.toString())
                        .err())
                .isEmpty();
        assertThat(export)
                .hasSameTextualContentAs(folder.resolve("run/record.json"))
                .content()
                .contains("\"avgCPU\"", "\"machines\"", "\"runtimeSystem\"", "\"id\": \"in#0020file.txt\"")
                .doesNotContain("1970-01-01");
        String[] cluster = {"--model", "kth-like", "--nodes", "100", "--start", "1d", "--strategy", "onejob", "--json"};
        List<String> simulated = new ArrayList<>();
        for (Path each : List.of(export, folder.resolve("run"))) {
            String[] words = Stream.concat(Stream.of("simulate", each.toString()), Stream.of(cluster))
                    .toArray(String[]::new);
            Run simulate = Run.of(words);
            assertThat(simulate.status()).as(simulate.err()).isZero();
            simulated.add(simulate.out());
        }
        assertThat(simulated.get(1)).isEqualTo(simulated.get(0)).contains("makespanSeconds");
        assertThat(Run.of("inspect", folder.resolve("run").toString()).out()).contains("tasks             3");
        assertThat(Run.of(
                                "convert",
                                folder.resolve("run").toString(),
                                folder.resolve("again.yaml").toString())
                        .status())
                .isZero();
        assertThat(folder.resolve("again.yaml")).content().contains("in file.txt", "time:");
    }

    @Test
    void cratesAreReproducibleAndContainNoSecret() throws Exception {
        assertThat(run.await(run.start())).as(run.errorOutput()).isZero();
        for (String each : List.of("a", "b", "a.zip", "b.zip")) {
            assertThat(report("--crate", each).status()).isZero();
        }
        assertThat(contents(folder.resolve("a"))).isEqualTo(contents(folder.resolve("b")));
        assertThat(folder.resolve("a.zip")).hasSameBinaryContentAs(folder.resolve("b.zip"));
        try (ZipFile zip = new ZipFile(folder.resolve("a.zip").toFile())) {
            byte[] packed =
                    zip.getInputStream(zip.getEntry("ro-crate-metadata.json")).readAllBytes();
            assertThat(packed).isEqualTo(Files.readAllBytes(folder.resolve("a/ro-crate-metadata.json")));
        }
        // The task wrote the variable to its output file. No file that Sheaf wrote contains it.
        Map<String, String> all = contents(folder.resolve("a"));
        assertThat(all.remove("files/count.1")).contains("good day top-secret-7");
        assertThat(all.remove("files/count.2")).isNotNull();
        assertThat(all.values()).noneMatch(text -> text.contains("top-secret"));
    }

    @Test
    void largeChangedAndMissingFilesAreReferenced() throws Exception {
        assertThat(run.await(run.start("--check", "hash")))
                .as(run.errorOutput())
                .isZero();
        String before = CheckedCrate.sha256(folder.resolve("count.1"));
        Files.writeString(folder.resolve("count.1"), "changed since");
        Files.delete(folder.resolve("count.2"));
        Files.writeString(folder.resolve("in file.txt"), "a changed input");
        assertThat(report("--crate", "crate", "--crate-copy", "12").status()).isZero();
        CheckedCrate crate = new CheckedCrate(folder.resolve("crate"));
        Map<?, ?> changed = crate.entity("file://" + folder.resolve("count.1"));
        assertThat(CheckedCrate.text(changed, "description")).contains("has changed since");
        assertThat(changed.get("sha256")).as("recorded by the run").isEqualTo(before);
        assertThat(CheckedCrate.text(crate.entity("file://" + folder.resolve("count.2")), "description"))
                .contains("no longer exists");
        assertThat(crate.entity("file://" + folder + "/in%20file.txt").get("contentSize"))
                .isEqualTo("11");
        assertThat(crate.entity("file://" + folder.resolve("total.txt")).get("sha256"))
                .as("too large to copy, but hashed")
                .isEqualTo(CheckedCrate.sha256(folder.resolve("total.txt")));
        assertThat(folder.resolve("crate/files")).doesNotExist();
    }

    @Test
    void aFailedRunHasACrate() throws Exception {
        Files.writeString(folder.resolve("workflow.yaml"), """
                name: fails
                tasks:
                  a: {container: "docker://quay.io/tools/none:1.2", run: 'exit 0'}
                  b: {out: b.txt, run: 'echo bad >&2; exit 4'}
                  c: {in: b.txt, out: c.txt, run: 'cp b.txt c.txt'}
                """);
        assertThat(run.await(run.start())).isEqualTo(1);
        assertThat(report("--crate", "crate").status()).isZero();
        CheckedCrate crate = new CheckedCrate(folder.resolve("crate"));
        assertThat(CheckedCrate.text(crate.entity("#run"), "actionStatus")).endsWith("FailedActionStatus");
        assertThat(crate.entity("#task-b/1").get("error")).isEqualTo("exit status 4");
        assertThat(crate.refs(crate.entity("./"), "mentions").toString()).doesNotContain("#task-c");
        assertThat(crate.entity("#step-c")).isNotNull();
        Map<?, ?> image = crate.ofType("ContainerImage").get(0);
        assertThat(image.get("registry")).isEqualTo("quay.io");
        assertThat(image.get("name")).isEqualTo("tools/none");
        assertThat(image.get("tag")).isEqualTo("1.2");
    }

    @Tag("slow")
    @Test
    void theCrateHasSlurmNodesAndJobIds() throws Exception {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2))) {
            run = new RealRun(folder, slurm.environment());
            Files.writeString(
                    folder.resolve("workflow.yaml"), "name: w\ntasks:\n  a: {time: 5s, out: a, run: 'touch a'}\n");
            assertThat(run.await(run.start("--on", "slurm")))
                    .as(run.errorOutput())
                    .isZero();
            assertThat(report("--crate", "crate").status()).isZero();
            CheckedCrate crate = new CheckedCrate(folder.resolve("crate"));
            Map<?, ?> attempt = crate.entity("#task-a/1");
            assertThat(CheckedCrate.text(crate.refs(attempt, "location").get(0), "name"))
                    .matches("n[0-9]");
            Map<?, ?> job = crate.ofType("Action").stream()
                    .filter(each -> crate.refs(each, "object").contains(attempt))
                    .findFirst()
                    .orElseThrow();
            String number = CheckedCrate.text(job, "identifier");
            assertThat(slurm.query("scontrol", "-o", "show", "jobs")).contains("JobId=" + number + " ");
            assertThat(folder.resolve("crate/record.json")).content().containsPattern("\"nodeName\": \"n[0-9]\"");
        }
    }

    @Test
    void aCrateOfAnUnfinishedRunIsRefused() throws Exception {
        try (RecordedFolder recording = new RecordedFolder(folder.resolve("run"), "onejob", RecordedFolder.DIAMOND)) {
            recording.deliver(2);
        }
        Run refused = report("--crate", "crate");
        assertThat(refused.status()).isEqualTo(3);
        assertThat(refused.err()).hasLineCount(1).contains("a crate describes a run that has ended");
        assertThat(folder.resolve("crate")).doesNotExist();
    }

    @Test
    void theRecordReplacesAMissingWorkflowFileInTheCrate() throws Exception {
        try (RecordedFolder recording = new RecordedFolder(folder.resolve("run"), "onejob", RecordedFolder.DIAMOND)) {
            recording.deliverAll();
        }
        assertThat(report("--crate", "crate").status()).isZero();
        CheckedCrate crate = new CheckedCrate(folder.resolve("crate"));
        assertThat(CheckedCrate.text(crate.entity("./"), "mainEntity")).contains("record.json");
        assertThat(crate.ofType("CreateAction")).hasSize(5);
        Run second = report("--crate", "crate");
        assertThat(second.status()).isEqualTo(3);
        assertThat(second.err()).hasLineCount(1).contains("name a new folder");
        assertThat(report("--crate", "no/such/crate").err()).hasLineCount(1).contains("no such folder");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).noneMatch(each -> each.toString().endsWith(".part"));
        }
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                contents.put(folder.relativize(each).toString(), Files.readString(each, StandardCharsets.UTF_8));
            }
        }
        return contents;
    }
}
