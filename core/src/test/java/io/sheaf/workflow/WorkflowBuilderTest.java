package io.sheaf.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkflowBuilderTest {
    /**
     * A diamond with a tail: split (10 s) → left (5 s), right (7 s) → join (1 s); join → tail (2 s); alone (30 s).
     * Levels: split, alone | left, right | join | tail. Critical path: alone, 30 s, since 10 + 7 + 1 + 2 = 20 s.
     */
    private static WorkflowBuilder diamond() {
        WorkflowBuilder builder = new WorkflowBuilder("diamond");
        builder.edge("split", "left", Place.of(1, 1));
        builder.edge("split", "right", Place.NONE);
        String[] ids = {"join", "split", "left", "right", "tail", "alone"};
        long[] seconds = {1, 10, 5, 7, 2, 30};
        for (int i = 0; i < ids.length; i++) {
            builder.time(builder.task(ids[i], Place.of(i + 1, 1)), seconds[i] * 1_000_000);
        }
        return builder.edge("left", "join", 0)
                .edge("right", "join", 0)
                .edge("join", "tail", 0)
                .edge("split", "left", 0);
    }

    @Test
    void derivesShapeAndTimes() {
        Workflow w = diamond().build();
        assertThat(w.size()).isEqualTo(6);
        assertThat(w.edges()).as("a repeated edge counts once").isEqualTo(5);
        assertThat(w.levels()).isEqualTo(4);
        assertThat(IntStream.range(0, 4).map(w::width)).containsExactly(2, 2, 1, 1);
        assertThat(w.maxWidth()).isEqualTo(2);
        assertThat(w.level(w.find("tail"))).isEqualTo(3);
        assertThat(w.id(w.taskOfLevel(0, 0))).as("ascending in a level").isEqualTo("split");
        assertThat(w.totalMicros()).isEqualTo(55_000_000);
        assertThat(w.criticalPathMicros()).isEqualTo(30_000_000);
        assertThat(w.bottomLevels()[w.find("split")]).isEqualTo(20_000_000);
        assertThat(w.id(w.parent(w.find("join"), 1))).isEqualTo("right");
        assertThat(w.children(w.find("tail"))).isZero();
        assertThat(w.find("nobody")).isEqualTo(-1);
        assertThat(w).hasToString("diamond: 6 tasks, 5 edges, 4 levels, 55 s");
    }

    @Test
    void growsWithoutRenumbering() {
        Workflow small = diamond().build();
        WorkflowBuilder more = small.extend();
        int late = more.task("late");
        more.time(late, 100_000_000).edge("tail", "late", 0);
        assertThat(more.find("split")).isEqualTo(small.find("split"));
        Workflow large = more.build();
        for (int task = 0; task < small.size(); task++) {
            assertThat(large.id(task)).isEqualTo(small.id(task));
            assertThat(large.level(task)).isEqualTo(small.level(task));
            assertThat(large.timeMicros(task)).isEqualTo(small.timeMicros(task));
        }
        assertThat(large.level(late)).isEqualTo(4);
        assertThat(large.criticalPathMicros()).isEqualTo(120_000_000);
        assertThat(small.size()).as("the original is unchanged").isEqualTo(6);
        assertThatThrownBy(() -> small.extend().task("split"))
                .hasMessage("task 'split' is declared twice (first at 2:1); ids must differ");
    }

    @Test
    void keepsEveryPropertyOfATask() {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        builder.describe(new Category("align", List.of("module load bwa"), "bwa.sif"));
        Scaling scaling = new Scaling(Map.of(1, 100L, 4, 30L));
        int a = builder.task("a");
        builder.category(a, "align")
                .limit(a, 5, 0)
                .retries(a, 3)
                .priority(a, -2)
                .scaling(a, scaling);
        builder.resources(a, new Resources(8, 1L << 30, 1, 2));
        builder.command(a, Command.script("bwa $X").with(Map.of("X", "1")));
        for (int i = 0; i < 100; i++) {
            builder.task("other" + i);
        }
        Workflow w = builder.build().extend().build();
        assertThat(w.category(a)).isEqualTo(new Category("align", List.of("module load bwa"), "bwa.sif"));
        assertThat(w.resources(a)).isEqualTo(new Resources(8, 1L << 30, 1, 2));
        assertThat(List.of(w.limitMicros(a), w.retries(a), w.priority(a))).isEqualTo(List.of(5L, 3, -2));
        assertThat(w.scaling(a)).isEqualTo(scaling);
        assertThat(w.command(a)).isEqualTo(Command.script("bwa $X").with(Map.of("X", "1")));
        int other = w.find("other99");
        assertThat(w.timeMicros(other)).isEqualTo(Workflow.UNKNOWN);
        assertThat(w.limitMicros(other)).isEqualTo(Workflow.UNKNOWN);
        assertThat(w.resources(other)).isEqualTo(Resources.ONE_CORE);
        assertThat(w.command(other)).isNull();
        assertThat(w.scaling(other)).isNull();
        assertThat(w.category(other).name()).isEmpty();
    }

    @Test
    void filesMakeEdgesOnlyOnRequest() {
        for (boolean on : new boolean[] {true, false}) {
            WorkflowBuilder builder = new WorkflowBuilder("files").fileEdges(on);
            int reader = builder.task("reader");
            int writer = builder.task("writer");
            int data = builder.file("data", Workflow.UNKNOWN);
            builder.input(reader, data).output(writer, builder.file("data", 77)).input(writer, data);
            builder.input(reader, builder.file("b", 5))
                    .input(reader, builder.file("a", 6))
                    .input(reader, data);
            Workflow w = builder.build();
            assertThat(w.edges()).isEqualTo(on ? 1 : 0);
            assertThat(w.fileEdges()).isEqualTo(on);
            assertThat(w.fileSize(data)).as("the first size that is known").isEqualTo(77);
            assertThat(IntStream.range(0, w.inputs(reader)).mapToObj(i -> w.fileName(w.input(reader, i))))
                    .as("as listed, once each")
                    .containsExactly("data", "b", "a");
        }
    }

    @Test
    void refusesInvalidWorkflows() {
        refused(
                builder -> builder.task("a", Place.of(9, 2)),
                "line 9:2: task 'a' is declared twice (first at 3:1); ids must differ");
        refused(builder -> builder.task("", Place.of(9, 2)), "line 9:2: a task has an empty id; give it a name");
        refused(
                builder -> builder.edge("sort", "a", Place.of(5, 7)),
                "line 5:7: task 'a' has an edge with 'sort', but there is no task 'sort'.");
        refused(
                builder -> builder.edge("merge", "align1", Place.of(5, 7)),
                "line 5:7: task 'merge' has an edge with 'align1', but there is no task 'align1'. Did you mean 'align'?");
        refused(
                builder -> builder.time(0, -1, Place.of(6, 1)),
                "line 6:1: task 'a' has a negative run time; a run time is 0 or more");
        refused(
                builder -> builder.limit(0, 0, Place.of(6, 1)),
                "line 6:1: task 'a' has a limit of 0; remove or raise it");
        refused(
                builder ->
                        builder.edge("a", "align", 0).edge("align", "merge", 0).edge("merge", "a", 0),
                "line 3:1: the tasks form a cycle: a -> align -> merge -> a; remove one of these dependencies");
        refused(
                builder -> builder.edge("merge", "merge", 0),
                "line 5:1: the tasks form a cycle: merge -> merge; remove one of these dependencies");
        refused(
                builder ->
                        builder.fileEdges(true).output(0, builder.file("x", 1)).output(2, builder.file("x", 1)),
                "line 5:1: file 'x' is written by two tasks, 'a' and 'merge'; rename one, or use --no-file-edges");
        refused(
                builder -> builder.time(0, Long.MAX_VALUE / 4).time(1, 1_000_000, Place.of(2, 2)),
                "line 2:2: the run times add up to more than Sheaf can count (73,000 years)");
    }

    private interface Step {
        void to(WorkflowBuilder builder);
    }

    private static void refused(Step step, String message) {
        assertThatThrownBy(() -> {
                    WorkflowBuilder builder = new WorkflowBuilder("bad");
                    builder.task("a", Place.of(3, 1));
                    builder.task("align", Place.of(4, 1));
                    builder.task("merge", Place.of(5, 1));
                    step.to(builder);
                    builder.build();
                })
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void showsOnlyTheStartOfALongCycle() {
        WorkflowBuilder builder = new WorkflowBuilder("ring");
        for (int i = 0; i < 1000; i++) {
            builder.task("t" + i);
            builder.edge("t" + i, "t" + (i + 1) % 1000, 0);
        }
        assertThatThrownBy(builder::build)
                .hasMessageStartingWith("the tasks form a cycle: t0 -> t1 -> t2 ->")
                .hasMessageEndingWith("-> t19 -> … (980 more) -> t0; remove one of these dependencies");
    }

    @Test
    void anEmptyWorkflowIsValid() {
        Workflow w = new WorkflowBuilder("empty").build();
        assertThat(List.of(w.size(), w.levels(), w.maxWidth(), w.edges())).containsOnly(0);
        assertThat(w.criticalPathMicros()).isZero();
    }

    @Test
    void scalingIsConstantBetweenCountsAndProportionalBelow() {
        Scaling scaling = new Scaling(Map.of(28, 100L, 56, 60L));
        assertThat(scaling.on(28)).isEqualTo(100);
        assertThat(scaling.on(40)).isEqualTo(100);
        assertThat(scaling.on(56)).isEqualTo(60);
        assertThat(scaling.on(1000)).isEqualTo(60);
        assertThat(scaling.on(14)).as("half the cores, twice the time").isEqualTo(200);
    }

    @Test
    void fileSizesThatOverflowAreRefused() {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        builder.file("a", Long.MAX_VALUE - 10);
        builder.file("a", Long.MAX_VALUE - 10);
        builder.file("b", Workflow.UNKNOWN);
        builder.file("c", 10);
        assertThatThrownBy(() -> builder.file("b", 1))
                .isInstanceOf(InputException.class)
                .hasMessage("the file sizes add up to more than Sheaf can count (8 EiB)");
    }
}
