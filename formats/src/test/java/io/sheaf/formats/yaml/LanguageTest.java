package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Retry;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests the meaning of each construct of Sheaf YAML. */
class LanguageTest {
    private static String script(Workflow workflow, String id) {
        Command command = workflow.command(workflow.find(id));
        return command == null ? "nothing" : command.script();
    }

    @Test
    void readsEveryProperty() {
        Workflow w = Yaml.read("""
                name: all
                tasks:
                  first:
                  second:
                    after: first
                    category: kind
                    in: {name: a.txt, size: 2K}
                    out: [b.txt, {name: c.txt, size: 0}]
                    time: 90
                    limit: 1:30:00
                    cores: 4
                    memory: 10G
                    gpus: 1
                    nodes: 2
                    retries: 3
                    priority: -5
                    env: {B: yes, A: 007, C: }
                    run: [prog, yes, 1.10, "{in}", "{out}", "x {out}"]
                """);
        int task = w.find("second");
        assertThat(w.name()).isEqualTo("all");
        assertThat(Yaml.parents(w, "second")).containsExactly("first");
        assertThat(w.category(task)).isEqualTo(Category.named("kind"));
        assertThat(w.category(0).name()).isEqualTo("first");
        assertThat(w.timeMicros(task)).isEqualTo(90 * TimeText.SECOND);
        assertThat(w.timeMicros(0)).isEqualTo(Workflow.UNKNOWN);
        assertThat(w.limitMicros(task)).isEqualTo(90 * TimeText.MINUTE);
        assertThat(w.resources(task)).isEqualTo(new Resources(4, 10L << 30, 1, 2));
        assertThat(w.resources(0)).isEqualTo(Resources.ONE_CORE);
        assertThat(w.retries(task)).isEqualTo(3);
        assertThat(w.priority(task)).isEqualTo(-5);
        assertThat(String.valueOf(w.command(task)))
                .isEqualTo("Command[argv=[prog, yes, 1.10, a.txt, b.txt, c.txt, x b.txt c.txt], "
                        + "environment={B=yes, A=007, C=}]");
        assertThat(w.command(0)).isNull();
        assertThat(w.fileSize(w.input(task, 0))).isEqualTo(2048);
        assertThat(w.fileSize(w.output(task, 0))).isEqualTo(Workflow.UNKNOWN);
        assertThat(w.fileSize(w.output(task, 1))).isZero();
    }

    @Test
    void foreachCombinesAllValues() {
        Workflow w = Yaml.read("""
                vars: {lanes: 01..02, dir: raw, where: "{dir}/x"}
                tasks:
                  align:
                    foreach: {sample: [b, a], lane: lanes}
                    in: "{where}/{sample}_{lane}.fq"
                    out: "{sample}_{lane}.bam"
                    run: bwa {in} > {out}
                  merge:
                    foreach: {sample: [b, a]}
                    id: merged {sample}
                    in: {from: align, only: "{sample}_*"}
                    out: "{sample}.bam"
                  one: {after: align-a-02}
                  all: {after: [merge, align]}
                  last: {in: [{from: merged a}, {from: merge}]}
                """);
        assertThat(Yaml.ids(w))
                .containsExactly(
                        "align-b-01",
                        "align-b-02",
                        "align-a-01",
                        "align-a-02",
                        "merged b",
                        "merged a",
                        "one",
                        "all",
                        "last");
        assertThat(script(w, "align-b-02")).isEqualTo("bwa raw/x/b_02.fq > b_02.bam");
        assertThat(w.category(w.find("align-b-02")).name()).isEqualTo("align");
        assertThat(w.category(w.find("merged b")).name()).isEqualTo("merge");
        assertThat(Yaml.inputs(w, "merged b")).containsExactly("b_01.bam", "b_02.bam");
        assertThat(Yaml.parents(w, "merged a")).containsExactly("align-a-01", "align-a-02");
        assertThat(Yaml.parents(w, "one")).containsExactly("align-a-02");
        assertThat(w.parents(w.find("all"))).isEqualTo(6);
        assertThat(Yaml.inputs(w, "last")).containsExactly("a.bam", "b.bam");
    }

    @Test
    void tasksMayReferToLaterTasks() {
        Workflow w = Yaml.read("""
                tasks:
                  total: {in: {from: part}, run: "cat {in}"}
                  part: {foreach: {i: 8..10}, out: "part {i}"}
                """);
        assertThat(script(w, "total")).isEqualTo("cat 'part 8' 'part 9' 'part 10'");
        assertThat(Yaml.parents(w, "total")).containsExactly("part-8", "part-9", "part-10");
    }

    @Test
    void foreachReadsRowsOfVariables() {
        Workflow w = Yaml.read("""
                tasks:
                  fit:
                    foreach:
                      - {model: linear, order: 1, n: 4}
                      - {n: 8, order: 3, model: cubic}
                    id: fit-{model}
                    cores: "{n}"
                    time: "{order}h"
                    env: {ORDER: "{order}"}
                    run: fit
                """);
        assertThat(Yaml.ids(w)).containsExactly("fit-linear", "fit-cubic");
        assertThat(w.resources(1).cores()).isEqualTo(8);
        assertThat(w.timeMicros(1)).isEqualTo(3 * TimeText.HOUR);
        assertThat(String.valueOf(w.command(1))).endsWith("environment={ORDER=3}]");
    }

    @Test
    void aTaskMayNeedLessThanACore() {
        Workflow w = Yaml.read("""
                tasks:
                  a: {foreach: {n: [0.5, "0.250", 2]}, cores: "{n}"}
                  b: {cores: 0.001, memory: 1G}
                """);
        assertThat(w.resources(0)).isEqualTo(new Resources(1, 0, 0, 1, 500));
        assertThat(w.resources(1).millicores()).isEqualTo(250);
        assertThat(w.resources(2)).isEqualTo(new Resources(2, 0, 0, 1));
        assertThat(w.resources(3)).isEqualTo(new Resources(1, 1L << 30, 0, 1, 1));
        assertThat(Yaml.write(w)).contains("cores: 0.5", "cores: 0.25", "cores: 2", "cores: 0.001");
    }

    @Test
    void decimalRangesAreExact() {
        Workflow w = Yaml.read("tasks:\n  t: {foreach: {x: 0..1 by 0.25, y: 098..101 by 3, z: -0.1..0.1 by 0.1}}\n");
        assertThat(w.size()).isEqualTo(5 * 2 * 3);
        assertThat(Yaml.ids(w).subList(0, 4))
                .containsExactly("t-0-098--0.1", "t-0-098-0", "t-0-098-0.1", "t-0-101--0.1");
        assertThat(w.id(w.size() - 1)).isEqualTo("t-1-101-0.1");
    }

    @Test
    void bracesOfOtherLanguagesAreKept() {
        Workflow w = Yaml.read("""
                vars: {x: 7}
                tasks:
                  t:
                    run: |
                      awk '{print $1}' {a,b} ${x} ${HOME} {} { x } {x} {{x}} {{{x}}} {x}} {{x} '{"k": {x}}'
                """);
        assertThat(script(w, "t"))
                .isEqualTo("awk '{print $1}' {a,b} ${x} ${HOME} {} { x } 7 {x} {7} 7} {{x} '{\"k\": 7}'\n");
    }

    @Test
    void tasksOverrideCategoriesAndTheseOverrideDefaults() {
        Workflow w = Yaml.read("""
                defaults:
                  retries: 1
                  time: 1m
                  setup: module load base
                  env: {A: default, B: default, C: default}
                categories:
                  c:
                    time: 2m
                    run: "echo {in} {name}"
                    env: {B: category, C: category}
                    setup: [one, two]
                    container: "img"
                  unused: {setup: three}
                vars: {name: v}
                tasks:
                  near: {category: c, in: f, time: 3m, env: {C: task}}
                  far: {category: c, retries: 0}
                  out: {run: x}
                  own: {run: y, setup: "four\\nfive", container: box}
                  guest: {category: own}
                """);
        assertThat(w.timeMicros(0)).isEqualTo(3 * TimeText.MINUTE);
        assertThat(w.timeMicros(1)).isEqualTo(2 * TimeText.MINUTE);
        assertThat(w.timeMicros(2)).isEqualTo(TimeText.MINUTE);
        assertThat(List.of(w.retries(0), w.retries(1), w.retries(2))).containsExactly(1, 0, 1);
        assertThat(String.valueOf(w.command(0)))
                .isEqualTo(
                        "Command[argv=[bash, -euo, pipefail, -c, echo f v], environment={A=default, B=category, C=task}]");
        assertThat(w.category(0)).isEqualTo(new Category("c", List.of("one", "two"), "img"));
        assertThat(w.category(2)).isEqualTo(new Category("out", List.of("module load base"), null));
        assertThat(w.category(4)).isEqualTo(new Category("own", List.of("four", "five"), "box"));
        assertThat(w.categories()).contains(new Category("unused", List.of("three"), null));
    }

    @Test
    void theShellIsStrictBashUnlessAnotherIsNamed() {
        Workflow w = Yaml.read("""
                defaults: {shell: "bash -e"}
                categories: {c: {shell: [zsh, -f]}}
                tasks:
                  a: {run: x, shell: /bin/sh}
                  b: {run: x, category: c}
                  c2: {run: x}
                  d: {run: [x, y], shell: sh}
                """);
        assertThat(argv(w, 0)).containsExactly("/bin/sh", "-c", "x");
        assertThat(argv(w, 1)).containsExactly("zsh", "-f", "-c", "x");
        assertThat(argv(w, 2)).containsExactly("bash", "-e", "-c", "x");
        assertThat(argv(w, 3)).containsExactly("x", "y");
        assertThat(argv(Yaml.read("tasks: {a: {run: x}}"), 0)).containsExactly("bash", "-euo", "pipefail", "-c", "x");
        assertThatThrownBy(() -> Yaml.read("tasks: {a: {run: x, shell: []}}"))
                .hasMessageContaining("'shell' has no program");
    }

    private static List<String> argv(Workflow w, int task) {
        return Objects.requireNonNull(w.command(task)).argv();
    }

    @Test
    void aCondaEnvironmentIsActivatedBeforeSetup() {
        Workflow w = Yaml.read("""
                tasks:
                  a: {run: x, conda: tools, setup: echo after}
                  b: {run: x, conda: env/tools.yaml}
                """);
        assertThat(w.category(0).setup()).hasSize(2).last().isEqualTo("echo after");
        assertThat(w.category(0).setup().get(0)).contains("conda activate tools;");
        assertThat(String.join("\n", w.category(1).setup()))
                .contains("cksum < env/tools.yaml", "--file env/tools.yaml", "conda activate \"$conda_prefix\"");
    }

    @Test
    void readsRetriesWithConditions() throws IOException {
        Workflow w = Yaml.read("""
                tasks:
                  a: {run: x, retry: {times: 3, memory: x2, time: x1.5, on: [oom, limit]}}
                  b: {run: x, retry: 2}
                """);
        assertThat(List.of(w.retries(0), w.retries(1))).containsExactly(3, 2);
        assertThat(w.retry(0)).isEqualTo(new Retry(200, 150, false, true, true));
        assertThat(w.retry(0).limit(1000, 3)).isEqualTo(2250);
        assertThat(w.retry(1)).isEqualTo(Retry.DEFAULT);
        assertThat(Yaml.read(Yaml.write(w)).retry(0)).isEqualTo(w.retry(0));
        StringWriter json = new StringWriter();
        Formats.writer("wfformat").write(w, json);
        byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(Formats.reader("wfformat")
                        .read(Source.of("w.json", bytes), true)
                        .retry(0))
                .isEqualTo(w.retry(0));
        assertThatThrownBy(() -> Yaml.read("tasks: {a: {run: x, retry: {times: 1, on: limit}}}"))
                .hasMessageContaining("needs a longer one");
    }

    @Test
    void readsTimesPerCores() {
        Workflow w = Yaml.read("""
                tasks:
                  a: {cores: 4, nodes: 2, time: {1: 1h, 8: 10m}}
                  b: {time: {8: 10m, expected: 2h}}
                  c: {time: {8: 10m, expected: unknown}}
                """);
        assertThat(w.scaling(0)).isEqualTo(new Scaling(Map.of(1, TimeText.HOUR, 8, 10 * TimeText.MINUTE)));
        assertThat(w.timeMicros(0)).isEqualTo(10 * TimeText.MINUTE);
        assertThat(w.timeMicros(1)).isEqualTo(2 * TimeText.HOUR);
        assertThat(w.timeMicros(2)).isEqualTo(Workflow.UNKNOWN);
        assertThat(w.resources(1).cores()).isEqualTo(8);
        assertThat(w.variants(1)).as("a single core count is not a choice").isNull();
        assertThat(w.variants(0))
                .as("a task on two nodes cannot run on one core")
                .isNull();
    }

    /** Without 'cores', a task requests the largest count with 50 % efficiency: 60 / (8 × 10), not 60 / (32 × 8). */
    @Test
    void coresAreChosenByTheTableOfTimes() {
        Workflow w = Yaml.read("""
                tasks:
                  a: {time: {32: 8m, 1: 1h, 8: 10m}, run: [x, -t, "{cores}"], env: {T: "{cores}"}}
                  b: {cores: 1, time: {1: 1h, 8: 10m}, run: "x -t {cores}"}
                  c: {cores: 3, time: 1h, run: "x -t {cores}"}
                """);
        assertThat(w.resources(0).cores()).isEqualTo(8);
        assertThat(w.timeMicros(0)).isEqualTo(10 * TimeText.MINUTE);
        assertThat(w.resources(1).cores()).isEqualTo(1);
        assertThat(Objects.requireNonNull(w.command(0)).argv()).containsExactly("x", "-t", "{cores}");
        assertThat(Objects.requireNonNull(w.command(0)).on(8).argv()).containsExactly("x", "-t", "8");
        assertThat(Objects.requireNonNull(w.command(0)).on(8).environment()).containsEntry("T", "8");
        assertThat(Objects.requireNonNull(w.command(1)).on(1).script()).isEqualTo("x -t 1");
        assertThat(Objects.requireNonNull(w.command(2)).script()).isEqualTo("x -t 3");
        assertThatThrownBy(() -> Yaml.read("tasks: {a: {run: x, time: {0: 1h, 8: 10m}}}"))
                .hasMessageContaining("'0' is not a number of cores");
        assertThatThrownBy(() -> Yaml.read("tasks: {a: {run: x, time: {-2: 1h, 8: 10m}}}"))
                .hasMessageContaining("'-2' is not a number of cores");
        assertThatThrownBy(() -> Yaml.read("tasks: {a: {run: x, time: {8: 1h, 8: 10m}}}"))
                .hasMessageContaining("8");
        assertThatThrownBy(() -> Yaml.read("tasks: {'{cores}': {run: x}}")).hasMessageContaining("run and env only");
    }

    @Test
    void edgesFollowFilesUnlessDisabled() {
        String text = "tasks:\n  a: {out: f}\n  b: {in: f}\n";
        assertThat(Yaml.read(text).edges()).isEqualTo(1);
        assertThat(Yaml.read("edges: files\n" + text).edges()).isEqualTo(1);
        assertThat(Yaml.read("edges: after\n" + text).edges()).isZero();
        Source source = Source.of("w.yaml", text.getBytes(StandardCharsets.UTF_8));
        assertThat(new SheafYaml().read(source, false).edges()).isZero();
        String twoWriters = "edges: after\ntasks:\n  a: {out: f}\n  b: {out: f, after: a}\n";
        assertThat(Yaml.read(twoWriters).edges()).isEqualTo(1);
    }

    @Test
    void readsAliasesJsonAndByteOrderMarks() {
        assertThat(Yaml.read("tasks:\n  a: &x {time: 5, run: b}\n  c: *x\n").timeMicros(1))
                .isEqualTo(5 * TimeText.SECOND);
        assertThat(Yaml.read("{\"tasks\": {\"a\": {\"cores\": 2, \"after\": [\"b\"]}, \"b\": null}}")
                        .edges())
                .isEqualTo(1);
        assertThat(Yaml.read("\ufeffname: x\ntasks: {}\n").name()).isEqualTo("x");
        assertThat(Yaml.read("tasks: {}\n").name()).isEqualTo("w");
    }

    @Test
    void readsLargeFilesAndLargeGroups() {
        StringBuilder text = new StringBuilder("tasks:\n");
        for (int i = 0; i < 20_000; i++) {
            text.append("  task-" + i + ":\n    category: c" + i % 5 + "\n    time: " + i + "s\n    out: f" + i + "\n")
                    .append(i == 0 ? "" : "    after: task-" + (i - 1) / 2 + "\n")
                    .append("    run: ./prog --seed " + i + " {out}\n");
        }
        Workflow w = Yaml.read(text.toString());
        assertThat(w.size()).isEqualTo(20_000);
        assertThat(w.edges()).isEqualTo(19_999);
        Workflow sweep = Yaml.read(
                "tasks:\n  t: {foreach: {i: 1..100000}, out: \"f{i}\", run: \"p {i} {out}\"}\n  u: {in: {from: t}}\n");
        assertThat(sweep.edges()).isEqualTo(100_000);
    }

    @Test
    void tooManyEdgesAreRefusedBeforeTheyAreCreated() {
        String text = """
                tasks:
                  a: {foreach: {i: 1..100000}, out: "f{i}"}
                  b: {foreach: {i: 1..100000}, in: {from: a}}
                """;
        assertThatThrownBy(() -> Yaml.read(text)).hasMessageContaining("of memory");
    }
}
