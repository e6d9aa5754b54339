package io.sheaf.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.UserLimits;
import io.sheaf.lab.ExperimentPlan.Selection;
import io.sheaf.lab.experiment.ClusterSetup;
import io.sheaf.lab.experiment.RefusedException;
import io.sheaf.lab.experiment.WorkflowInstance;
import io.sheaf.lab.queue.QueueBlock;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how experiment files are read, expanded into runs and refused. */
class ExperimentTest {
    @TempDir
    Path folder = Path.of("");

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private ExperimentPlan plan(String text) throws IOException {
        return ExperimentPlan.read(file("e.yaml", text), List.of(), Selection.ALL);
    }

    private static List<QueueBlock> blocks(ExperimentPlan plan) {
        return plan.blocks().stream().map(QueueBlock.class::cast).toList();
    }

    private List<String> problemsOf(String text) throws IOException {
        Path file = file("e.yaml", text);
        RefusedException refused =
                catchThrowableOfType(RefusedException.class, () -> ExperimentPlan.read(file, List.of(), Selection.ALL));
        return refused.problems().stream()
                .map(InputException::getMessage)
                .map(line -> line.replace(file.toString(), "e.yaml"))
                .toList();
    }

    @Test
    void allProblemsAreReportedAtOnce() throws IOException {
        file("wide.yaml", "tasks: {a: {time: 1m, nodes: 300}}\n");
        assertThat(problemsOf("""
                        workflows:
                          - {files: wide.yaml}
                          - {files: gone.dax}
                          - {generate: montag}
                        clusters:
                          - {model: kth-like, ordr: large}
                          - {trace: gone.swf}
                          - {trace: gone.swf, or: kht-like}
                        strategies: [zhang, glum, "zhang:globl=false"]
                        caps: [16, none]
                        estimates: factr:2
                        strats: 1
                        """))
                .anySatisfy(line -> assertThat(line).startsWith("e.yaml:12:1: unknown key 'strats'"))
                .anySatisfy(line -> assertThat(line).contains("'ordr'", "Did you mean 'order'?"))
                .anySatisfy(line -> assertThat(line).startsWith("e.yaml:3:").contains("no workflow 'gone.dax'"))
                .anySatisfy(line -> assertThat(line).contains("'montag'", "Did you mean 'montage'?"))
                .anySatisfy(line -> assertThat(line).startsWith("e.yaml:7:").contains("no log 'gone.swf'"))
                .anySatisfy(line -> assertThat(line).contains("'kht-like'", "Did you mean 'kth-like'?"))
                .anySatisfy(line -> assertThat(line).contains("unknown strategy 'glum'", "Did you mean 'glume'?"))
                .anySatisfy(line -> assertThat(line).contains("no parameter 'globl'", "Did you mean 'global'?"))
                .anySatisfy(line -> assertThat(line).contains("'none' is not a whole number"))
                .anySatisfy(line -> assertThat(line).contains("there is no 'factr:2'"))
                .anySatisfy(line -> assertThat(line).contains("task 'a' of workflow 'wide' needs 300 nodes", "has 100"))
                .hasSize(11);
    }

    @Test
    void problemsInTheQuickFormAreReportedInAFullRun() throws IOException {
        assertThat(problemsOf("""
                        workflows: {generate: montage}
                        clusters: {model: kth-like}
                        strategies: zhang
                        quick: {start: {every: 1d}}
                        """)).singleElement().satisfies(line -> assertThat(line)
                .contains("Did you mean 'starts'?"));
    }

    @Test
    void missingKeysAndInvalidYamlAreReported() throws IOException {
        assertThat(problemsOf("title: nothing\n")).hasSize(3);
        assertThat(problemsOf("a: [1\n")).singleElement().satisfies(line -> assertThat(line)
                .startsWith("e.yaml:"));
    }

    /** 2 workflows × 2 orders × 2 policies × 2 estimates × 3 caps × 2 seeds × 5 starts × 2 strategies. */
    @Test
    void runsAreTheCrossProductOfAllValues() throws IOException {
        ExperimentPlan plan = plan("""
                workflows: {generate: montage, tasks: [20, 50]}
                clusters: {model: kth-like, order: [fcfs, large], policy: [easy, "depth:4"]}
                strategies: [zhang, GLUME]
                estimates: [accurate, "mix:3:0.2"]
                caps: [1, 2, 3]
                repetitions: 2
                starts: {first: 1d, every: 1d, for: 4d}
                """);
        assertThat(plan.runs()).isEqualTo(2 * 2 * 2 * 2 * 3 * 2 * 5 * 2);
        assertThat(plan.strategies()).containsExactly("zhang", "glume");
        assertThat(plan.experiment().comparison().baseline()).isEqualTo("zhang");
    }

    @Test
    void jobLimitsAreParameters() throws IOException {
        ExperimentPlan plan = plan("""
                workflows: {generate: chain, tasks: 3, work: 3h}
                clusters: {model: kth-like}
                strategies: zhang
                max-time: [none, 6h]
                max-nodes: 8
                """);
        assertThat(blocks(plan))
                .extracting(block -> block.setting().cluster().policy().perJob())
                .containsExactly(new JobLimits(8, Long.MAX_VALUE), new JobLimits(8, 6 * 3_600_000));
        assertThat(problemsOf("""
                workflows: {generate: chain, tasks: 3, work: 30h}
                clusters: {model: kth-like}
                strategies: zhang
                max-time: 6h
                """)).singleElement().satisfies(line -> assertThat(line)
                .contains("a job may run for at most 6h"));
        assertThat(problemsOf("""
                workflows: {generate: chain, tasks: 3}
                clusters: {model: kth-like}
                strategies: zhang
                max-time: 0
                max-nodes: 0
                """)).hasSize(2);
    }

    /** A job never has more nodes than its user's limit; the lower limit counts. */
    @Test
    void userLimitsAreParameters() throws IOException {
        ExperimentPlan plan = plan("""
                workflows: {generate: chain, tasks: 3, work: 3h}
                clusters: {model: kth-like}
                strategies: zhang
                max-nodes: [none, 4]
                max-user-jobs: 2
                max-user-nodes: [none, 8]
                """);
        assertThat(blocks(plan))
                .extracting(block -> block.setting().cluster().policy().perJob().units())
                .containsExactly(Integer.MAX_VALUE, 4, 8, 4);
        assertThat(blocks(plan))
                .extracting(block -> block.setting().cluster().policy().perUser())
                .contains(
                        new UserLimits(2, Integer.MAX_VALUE, UserLimits.LimitScope.OWN),
                        new UserLimits(2, 8, UserLimits.LimitScope.OWN))
                .hasSize(4);
        assertThat(problemsOf("""
                workflows: {generate: chain, tasks: 3}
                clusters: {model: kth-like}
                strategies: zhang
                max-user-jobs: 0
                max-user-nodes: some
                """)).hasSize(2);
    }

    @Test
    void userNodeHourLimitsAreParameters() throws IOException {
        ExperimentPlan plan = plan("""
                workflows: {generate: chain, tasks: 3, work: 3h}
                clusters: {model: kth-like}
                strategies: zhang
                max-user-node-hours: [none, 20]
                """);
        assertThat(blocks(plan))
                .extracting(block -> block.setting().cluster().policy().perUser())
                .containsExactly(
                        UserLimits.NONE,
                        new UserLimits(
                                Integer.MAX_VALUE, Integer.MAX_VALUE, 20 * 3_600_000L, UserLimits.LimitScope.OWN));
        assertThat(blocks(plan))
                .extracting(block -> block.setting().cluster().policy().perJob().walltime(2))
                .containsExactly(Long.MAX_VALUE, 10 * 3_600_000L);
        assertThat(problemsOf("""
                workflows: {generate: chain, tasks: 3}
                clusters: {model: kth-like}
                strategies: zhang
                max-user-node-hours: 0
                """)).hasSize(1);
    }

    @Test
    void missingFilesAndLogsAreReplacedByTheirAlternative() throws IOException {
        ExperimentPlan plan = plan("""
                workflows: {files: "gone_*.dax", or: {generate: chain, tasks: 3}}
                clusters: {name: KTH, trace: gone.swf, or: kth-like}
                strategies: zhang
                """);
        assertThat(blocks(plan)).singleElement().satisfies(block -> {
            assertThat(block.setting().cluster().name()).isEqualTo("KTH");
            assertThat(block.setting().cluster().load().name()).isEqualTo("kth-like");
            assertThat(block.workflows())
                    .extracting(WorkflowInstance::isGenerated)
                    .containsExactly(true);
        });
    }

    @Test
    void weeksAreSpreadOverTheLog() throws IOException {
        ExperimentPlan plan = plan("""
                workflows: {generate: chain, tasks: 3}
                clusters: {model: kth-like, days: 50, weeks: 5}
                strategies: zhang
                """);
        List<Long> days = blocks(plan).stream()
                .map(block -> block.setting().cluster().from() / 86_400_000)
                .toList();
        assertThat(days).hasSize(5).startsWith(0L).isSorted().doesNotHaveDuplicates();
        assertThat(days.get(4)).isBetween(37L, 40L);
    }

    @Test
    void slurmAccountingIsALogIfItsUnitIsSet() throws IOException {
        file("jobs.txt", """
                JobID|Submit|Start|End|Timelimit|NNodes|AllocCPUS|State
                1|2026-03-02T06:00:00|2026-03-02T06:00:00|2026-03-02T08:00:00|03:00:00|2|64|COMPLETED
                1.batch|2026-03-02T06:00:00|2026-03-02T06:00:00|2026-03-02T08:00:00||1|32|COMPLETED
                2|2026-03-02T06:10:00|2026-03-02T07:00:00|2026-03-02T09:00:00|03:00:00|1|32|FAILED
                """);
        String experiment = """
                workflows: {generate: chain, tasks: 3}
                clusters: {trace: jobs.txt, nodes: 4%s}
                strategies: zhang
                """;
        assertThatThrownBy(() -> plan(experiment.formatted("")))
                .hasMessageContaining("e.yaml:2:")
                .hasMessageContaining("add 'sacct-unit: nodes'");
        ClusterSetup cluster = blocks(plan(experiment.formatted(", sacct-unit: nodes")))
                .get(0)
                .setting()
                .cluster();
        assertThat(cluster.load().log().size()).isEqualTo(2);
        assertThat(cluster.load().log().procs(0)).isEqualTo(2);
    }

    @Test
    void aFractionSelectsTheSameStartsOnEveryBackground() throws IOException {
        Path file = file("e.yaml", """
                workflows: {generate: chain, tasks: [3, 4]}
                clusters: {model: kth-like, order: [fcfs, small]}
                strategies: zhang
                starts: {first: 1d, every: 1h, for: 19h}
                """);
        ExperimentPlan plan = ExperimentPlan.read(file, List.of(), new Selection(false, 0.25, 1, 1));
        int[] items = plan.chosen().stream().toArray();
        assertThat(items).hasSize(20);
        for (int i = 0; i < 10; i++) {
            assertThat(items[10 + i]).isEqualTo(items[i] + 40);
        }
    }
}
