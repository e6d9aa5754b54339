package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Deferred;
import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests patterns, named files, folders, tables and groups over files that tasks write. */
class FilesTest {
    @TempDir
    Path folder = Path.of("");

    @BeforeEach
    void createFiles() throws IOException {
        Files.createDirectories(folder.resolve("data/deep"));
        for (String name : List.of("b.fq", "a.fq", ".hidden.fq", "a.txt", "deep/c.fq")) {
            Files.writeString(folder.resolve("data").resolve(name), "");
        }
    }

    private Workflow read(String text) throws IOException {
        return new SheafYaml().read(Source.of(Files.writeString(folder.resolve("w.yaml"), text)), true);
    }

    private static String script(Workflow workflow, int task) {
        return Objects.requireNonNull(workflow.command(task)).script();
    }

    private static List<String> inputs(Workflow workflow, int task) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < workflow.inputs(task); i++) {
            names.add(workflow.fileName(workflow.input(task, i)));
        }
        return names;
    }

    @Test
    void foreachTakesValuesFromFiles() throws IOException {
        Workflow w = read("tasks: {t: {foreach: {s: {glob: 'data/*.fq'}}, in: 'data/{s}.fq', run: 'echo {s}'}}\n");
        assertThat(Yaml.ids(w)).containsExactly("t-a", "t-b");
        assertThat(inputs(w, 1)).containsExactly("data/b.fq");
        assertThatThrownBy(() -> read("tasks: {t: {foreach: {s: {glob: 'none/*.fq'}}, run: x}}\n"))
                .hasMessageContaining("no file fits 'none/*.fq' in " + folder);
    }

    @Test
    void foreachTakesValuesFromTables() throws IOException {
        Files.writeString(folder.resolve("s.csv"), "name,kind\nx,1\ny,\"2,5\"\nx,3\n");
        Files.writeString(folder.resolve("s.tsv"), "name\tkind\nx\t1\n");
        assertThat(Yaml.ids(read("tasks: {t: {foreach: {s: {csv: s.csv, column: name}}, run: x}}\n")))
                .containsExactly("t-x", "t-y");
        Workflow rows = read("tasks: {t: {foreach: {csv: s.csv}, run: 'echo {name} {kind}'}}\n");
        assertThat(script(rows, 1)).isEqualTo("echo y 2,5");
        assertThat(Yaml.ids(read("tasks: {t: {foreach: {tsv: s.tsv}, run: x}}\n")))
                .containsExactly("t-x-1");
        assertThatThrownBy(() -> read("tasks: {t: {foreach: {s: {csv: s.csv, column: nam}}, run: x}}\n"))
                .hasMessageContaining("there is no column 'nam'. Did you mean 'name'?");
        assertThatThrownBy(() -> read("tasks: {t: {foreach: {s: {csv: none.csv, column: name}}, run: x}}\n"))
                .hasMessageContaining(":1:32: " + folder.resolve("none.csv") + ": there is no such file");
        assertThatThrownBy(() -> read("tasks: {t: {foreach: {s: {column: name, table: s.csv}}, run: x}}\n"))
                .hasMessageContaining("unknown key 'table' in 'foreach'. Known keys: glob, csv, tsv, column");
    }

    @Test
    void aPatternMatchesFilesAndOutputs() throws IOException {
        Workflow w = read("""
                tasks:
                  make: {foreach: {i: 1..2}, out: "data/n{i}.fq", run: "touch {out}"}
                  all: {in: "data/*.fq", out: data/all.fq, run: "cat {in} > {out}"}
                """);
        assertThat(inputs(w, 2)).containsExactly("data/a.fq", "data/b.fq", "data/n1.fq", "data/n2.fq");
        assertThat(Yaml.parents(w, "all")).containsExactly("make-1", "make-2");
        assertThatThrownBy(() -> read("tasks: {t: {in: '*.none', run: x}}\n")).hasMessageContaining("no file fits");
        assertThatThrownBy(() -> read("tasks: {t: {out: '*.none', run: x}}\n")).hasMessageContaining("{dir: FOLDER}");
    }

    @Test
    void filesCanBeNamed() throws IOException {
        Workflow w = read("""
                tasks:
                  a:
                    in: {reads: [data/a.fq, data/b.fq], ref: data/a.txt}
                    out: {bam: a.bam, log: a.log}
                    uses: tool.sh
                    run: ./tool.sh {in.ref} {in.reads} {out.bam} {out.log} / {in} {x.y} ${in.z}
                  b: {in: {all: {from: a}}, run: [cat, "{in.all}"]}
                """);
        assertThat(script(w, 0))
                .isEqualTo("./tool.sh data/a.txt data/a.fq data/b.fq a.bam a.log / data/a.fq data/b.fq data/a.txt {x.y}"
                        + " ${in.z}");
        assertThat(inputs(w, 0)).contains("tool.sh");
        assertThat(Objects.requireNonNull(w.command(1)).argv()).containsExactly("cat", "a.bam", "a.log");
        assertThatThrownBy(() -> read("tasks: {t: {in: {reads: data/a.fq}, run: 'x {in.read}'}}\n"))
                .hasMessageContaining("there is no variable 'in.read' here. Did you mean 'in.reads'?");
    }

    @Test
    void aFolderCanBeAnOutput() throws IOException {
        Workflow w = read("""
                tasks:
                  split: {out: {dir: parts}, run: "split x {out}"}
                  count: {in: {dir: parts/}, out: n.txt, run: "cat {in}* > {out}"}
                """);
        assertThat(script(w, 0)).isEqualTo("split x parts/");
        assertThat(Yaml.parents(w, "count")).containsExactly("split");
        assertThat(Yaml.read(Yaml.write(w)).fileName(0)).isEqualTo("parts/");
        for (String bad : List.of("..", ".", "/tmp", "a/../..")) {
            assertThatThrownBy(() -> read("tasks: {t: {out: {dir: " + bad + "}, run: x}}\n"))
                    .hasMessageContaining("must be a folder below the working folder");
        }
    }

    private static final String DYNAMIC = """
            tasks:
              split: {out: {dir: parts}, run: "x > {out}1"}
              count: {foreach: {p: {glob: "parts/*.txt"}}, in: "parts/{p}.txt", out: "n/{p}.n", run: "wc {in} > {out}"}
              total: {in: {from: count}, out: total, run: "cat {in}"}
              pattern: {in: "n/*.n", run: "cat {in}"}
              named: {after: count, run: x}
              last: {after: total, run: x}
              other: {foreach: {s: {glob: "data/*.fq"}}, run: x}
            """;

    private Workflow read(String text, Set<String> written, List<Deferred> deferred) throws IOException {
        Source source = Source.of(Files.writeString(folder.resolve("w.yaml"), text));
        return new SheafYaml().read(source.written(written, deferred::add), true);
    }

    /** A group over files that a task writes is deferred, with all dependent tasks; existing files do not count. */
    @Test
    void groupsOverWrittenFilesAreDeferred() throws IOException {
        Files.createDirectories(folder.resolve("parts"));
        Files.writeString(folder.resolve("parts/old.txt"), "");
        List<Deferred> deferred = new ArrayList<>();
        Workflow first = read(DYNAMIC, Set.of(), deferred);
        assertThat(Yaml.ids(first)).containsExactly("split", "other-a", "other-b");
        assertThat(deferred)
                .containsExactly(new Deferred("count", "parts/*.txt", List.of("split"), List.of("split"), 0));
        deferred.clear();
        Files.delete(folder.resolve("parts/old.txt"));
        Files.writeString(folder.resolve("parts/a.txt"), "");
        Files.writeString(folder.resolve("parts/b.txt"), "");
        Workflow all = read(DYNAMIC, Set.of("split"), deferred);
        assertThat(deferred).isEmpty();
        assertThat(Yaml.ids(all))
                .containsExactly(
                        "split", "count-a", "count-b", "total", "pattern", "named", "last", "other-a", "other-b");
        assertThat(all.parent(all.find("count-a"), 0))
                .as("depends on the writer")
                .isZero();
        assertThat(inputs(all, all.find("pattern"))).containsExactly("n/a.n", "n/b.n");
        Files.delete(folder.resolve("parts/a.txt"));
        Files.delete(folder.resolve("parts/b.txt"));
        assertThat(Yaml.ids(read(DYNAMIC.replace("n/*.n", "data/*.fq"), Set.of("split"), deferred)))
                .as("no files, no tasks")
                .doesNotContain("count-a")
                .contains("total", "named");
    }

    /** Mistakes in deferred groups are reported before any task runs. */
    @Test
    void deferredGroupsAreCheckedBeforeTheRun() {
        for (String wrong : List.of(
                "run: 'wc {x}'",
                "run: x, cors: 2",
                "run: x, after: nobody",
                "run: x}, c: {after: b-9, run: x",
                "run: x, memory: 3Q")) {
            assertThatThrownBy(() -> read(
                            "tasks: {a: {out: {dir: d}, run: x}, b: {foreach: {p: {glob: 'd/*'}}, " + wrong + "}}",
                            Set.of(),
                            new ArrayList<>()))
                    .isInstanceOf(InputException.class);
        }
    }

    /** The file is the name of another task. Before the group is made, its writer may replace the file. */
    @Test
    void existingFilesOfDeferredGroupsAreNoMistake() throws IOException {
        String text = """
                tasks:
                  cut: {out: {dir: c}, run: x}
                  bit: {foreach: {f: {glob: "c/*"}}, id: "{f}", run: x}
                """;
        Files.createDirectories(folder.resolve("c"));
        Files.writeString(folder.resolve("c/cut"), "");
        List<Deferred> deferred = new ArrayList<>();
        assertThat(Yaml.ids(read(text, Set.of(), deferred))).containsExactly("cut");
        assertThat(deferred).extracting(Deferred::group).containsExactly("bit");
        assertThatThrownBy(() -> read(text, Set.of("cut"), deferred)).isInstanceOf(InputException.class);
    }

    /** Each task of a group may write a folder; a later group may be over the files in all these folders. */
    @Test
    void groupsOverFilesOfDeferredGroupsAreDeferred() throws IOException {
        String text = """
                tasks:
                  cut: {foreach: {s: [x, y]}, out: {dir: "cut-{s}"}, run: x}
                  bit: {foreach: {f: {glob: "cut-*/*.t"}}, id: "bit-{f}", out: {dir: "fine/{f}"}, run: x}
                  end: {foreach: {g: {glob: "fine/*/*/*.u"}}, run: x}
                """;
        List<Deferred> deferred = new ArrayList<>();
        assertThat(Yaml.ids(read(text, Set.of(), deferred))).containsExactly("cut-x", "cut-y");
        assertThat(deferred)
                .containsExactly(new Deferred("bit", "cut-*/*.t", List.of("cut"), List.of("cut-x", "cut-y"), 0));
        Files.createDirectories(folder.resolve("cut-x"));
        Files.writeString(folder.resolve("cut-x/1.t"), "");
        deferred.clear();
        assertThat(Yaml.ids(read(text, Set.of("cut"), deferred))).containsExactly("cut-x", "cut-y", "bit-x/1");
        assertThat(deferred)
                .containsExactly(new Deferred("end", "fine/*/*/*.u", List.of("bit"), List.of("bit-x/1"), 0));
    }

    /**
     * A part takes 4 minutes, the total 2 and the plot of a part 1: the longest path from a part takes 6 minutes. Times
     * of categories and defaults count.
     */
    @Test
    void aDeferredGroupHasTheTimeOfItsLongestPath() throws IOException {
        List<Deferred> deferred = new ArrayList<>();
        read("""
                defaults: {time: 2m}
                categories: {part: {time: 4m}}
                tasks:
                  split: {out: {dir: d}, time: 1h, run: x}
                  part: {foreach: {p: {glob: "d/*"}}, out: "{p}.n", run: x}
                  plot: {foreach: {p: {glob: "d/*"}}, in: "{p}.n", time: 1m, run: x}
                  total: {in: {from: part}, run: x}
                """, Set.of(), deferred);
        assertThat(deferred).extracting(Deferred::group).containsExactly("part", "plot");
        assertThat(deferred).extracting(Deferred::millis).containsExactly(360_000L, 60_000L);
    }

    /** Tasks of a group over existing files have ids, although another group is deferred. */
    @Test
    void groupsOverExistingFilesKeepIdsBesideDeferredGroups() throws IOException {
        String text = """
                tasks:
                  split: {out: {dir: d}, run: x}
                  part: {foreach: {p: {glob: "d/*"}}, run: x}
                  other: {foreach: {s: {glob: "data/*.fq"}}, out: "{s}.n", run: x}
                  last: {after: other-a, out: b.m, run: x}
                """;
        assertThat(Yaml.ids(read(text, Set.of(), new ArrayList<>())))
                .containsExactly("split", "other-a", "other-b", "last");
        assertThatThrownBy(() -> read(text.replace("b.m", "b.n"), Set.of(), new ArrayList<>()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'other-b' and 'last'");
    }
}
