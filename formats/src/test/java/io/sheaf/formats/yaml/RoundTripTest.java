package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.RandomWorkflows;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that any workflow survives writing and reading. */
class RoundTripTest {
    @Test
    void keepsEverything() {
        for (int seed = 0; seed < 300; seed++) {
            Workflow workflow = RandomWorkflows.withEverything(seed).next();
            String text = Yaml.write(workflow);
            Workflow restored = Yaml.read(text);
            SameWorkflow.assertSame(workflow, restored);
            assertThat(restored.fileEdges()).isEqualTo(workflow.fileEdges());
            assertThat(Yaml.write(restored))
                    .as("text of the restored workflow, seed " + seed)
                    .isEqualTo(text);
        }
    }

    @Test
    void keepsUnusualTexts() {
        String[] unusual = {
            "{in}",
            "{{in}}",
            "{{{a}}}",
            "{a}}}",
            "{{{a}",
            "${HOME}",
            "${{x}}",
            "$ {x}",
            "awk '{print}' {}",
            "{a}{b}",
            "yes",
            "No",
            "null",
            "~",
            "007",
            "1e3",
            "0x1F",
            ".5",
            "-",
            "--- x",
            "...",
            "2024-01-01",
            "12:30:00",
            "<<",
            "=",
            " lead",
            "trail ",
            "a: b",
            "a #b",
            "a:",
            "#c",
            "&x",
            "*x",
            "!t",
            "%d",
            "@a",
            "`b`",
            "'q'",
            "\"q\"",
            "a\\b",
            "?",
            "? a",
            ": a",
            "- a",
            "[a]",
            "{a: b}",
            "a, b",
            "|",
            ">",
            "x\n",
            "x\n\n",
            "x\n\n\n",
            "\nx",
            "\n",
            " x\ny",
            "x\n  \ny",
            "x\n\ty\n",
            "a\n b\nc",
            "x\r\ny",
            "\r",
            "\u0000",
            "\u0007",
            "\u0085",
            "\u2028",
            "\ufeff",
            "ünï",
            "\ud83c\udf3e",
            "",
            "\t",
            "tab\tin",
            "#!/bin/sh\nset -e\n  echo {x} ${y} # {z}\n",
            "k".repeat(3000)
        };
        WorkflowBuilder builder = new WorkflowBuilder("strange {name}: #1");
        for (int i = 0; i < unusual.length; i++) {
            String text = unusual[i];
            int task = builder.task("t" + i + text);
            builder.category(task, text);
            builder.command(
                    task,
                    i % 3 == 0
                            ? Command.script(text)
                            : i % 3 == 1
                                    ? Command.script(Command.STRICT, text)
                                    : Command.of(List.of(text + "x", text)));
            builder.output(task, builder.file("out" + i + text, i));
            builder.input(task, builder.file(text + i, i));
            builder.describe(new Category(text, List.of(text, "z" + text), text));
            if (i > 0) {
                builder.edge(i - 1, i);
            }
        }
        int task = builder.task("env");
        Command command = Command.script("env");
        for (String text : unusual) {
            Map<String, String> more = new LinkedHashMap<>(command.environment());
            more.put("V" + text, text);
            command = command.with(more);
        }
        builder.command(task, command);
        Workflow workflow = builder.build();
        SameWorkflow.assertSame(workflow, Yaml.read(Yaml.write(workflow)));
    }

    @Test
    void writesReadableTextWithoutRepetition() {
        WorkflowBuilder builder = new WorkflowBuilder("small").fileEdges(true);
        builder.describe(new Category("align", List.of("module load bwa"), null));
        for (String sample : List.of("a", "b")) {
            int task = builder.task("align-" + sample);
            builder.category(task, "align").time(task, 90_000_000);
            builder.command(
                    task, Command.script(Command.STRICT, "bwa mem " + sample + ".fq \\\n  > " + sample + ".bam\n"));
            builder.output(task, builder.file(sample + ".bam", 1 << 20));
            builder.retries(task, 2);
        }
        int merge = builder.task("merge");
        builder.category(merge, "merge").retries(merge, 2);
        builder.input(merge, builder.file("a.bam", -1)).input(merge, builder.file("b.bam", -1));
        builder.command(merge, Command.of(List.of("samtools", "merge", "all.bam", "a.bam", "b.bam")));
        assertThat(Yaml.write(builder.build())).isEqualTo("""
                        name: small

                        defaults:
                          retries: 2

                        categories:
                          align:
                            time: 1m30s
                            setup: [module load bwa]

                        tasks:
                          align-a:
                            category: align
                            out: {name: a.bam, size: 1M}
                            run: |
                              bwa mem a.fq \\
                                > a.bam
                          align-b:
                            category: align
                            out: {name: b.bam, size: 1M}
                            run: |
                              bwa mem b.fq \\
                                > b.bam
                          merge:
                            in: [a.bam, b.bam]
                            run: [samtools, merge, all.bam, a.bam, b.bam]
                        """);
    }

    @Test
    void writesAWorkflowWithoutTasks() {
        Workflow empty = new WorkflowBuilder("empty").fileEdges(true).build();
        assertThat(Yaml.write(empty)).isEqualTo("name: empty\n\ntasks: {}\n");
        assertThat(Yaml.read(Yaml.write(empty)).size()).isZero();
    }
}
