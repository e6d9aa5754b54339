package io.sheaf.formats.dagman;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DagmanReaderTest {
    private final Workflow w = new DagmanReader().read(Source.of("pipeline.dag", Samples.pipeline()), false);

    @Test
    void readsNodesAndEdges() {
        assertThat(w.name()).isEqualTo("pipeline");
        List<String> edges = new ArrayList<>();
        for (int task = 0; task < w.size(); task++) {
            for (int i = 0; i < w.parents(task); i++) {
                edges.add(w.id(w.parent(task, i)) + "-" + w.id(task));
            }
        }
        assertThat(edges)
                .containsExactly(
                        "before-split",
                        "split-w1",
                        "split-w2",
                        "w1-merge",
                        "w2-merge",
                        "merge-report",
                        "merge-skipped");
    }

    @Test
    void readsASubmitFile() {
        int split = w.find("split");
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("A", "1");
        environment.put("B", "x y");
        environment.put("C", "\"q\"");
        assertThat(w.command(split))
                .isEqualTo(
                        Command.of(List.of("bin/split", "/data/in/x.dat", "\"quoted\"", "two words", "it's", "$HOME"))
                                .with(environment));
        assertThat(w.resources(split)).isEqualTo(new Resources(1, 512L << 20, 2, 3));
        assertThat(w.limitMicros(split)).isEqualTo(3_600_000_000L);
        assertThat(w.timeMicros(split)).isEqualTo(Workflow.UNKNOWN);
        assertThat(w.retries(split)).as("RETRY overrides max_retries").isEqualTo(1);
        assertThat(w.priority(split)).isEqualTo(4);
        assertThat(w.category(split).name()).isEqualTo("staging");
        assertThat(w.fileName(w.input(split, 1))).isEqualTo("y.dat");
        assertThat(w.outputs(split)).isEqualTo(2);
    }

    @Test
    void expandsVariables() {
        int one = w.find("w1");
        assertThat(w.command(one))
                .isEqualTo(Command.of(List.of("/opt/demo/work", "--part", "1", "--label", "one \"two\" three")));
        assertThat(w.timeMicros(one)).as("the description redefines a variable").isEqualTo(90_250_000);
        assertThat(w.resources(one)).isEqualTo(new Resources(2, 3L << 29, 0, 1));
        assertThat(w.retries(one)).isEqualTo(3);
        assertThat(w.category(one).name()).isEqualTo("worker");
        int two = w.find("w2");
        assertThat(w.resources(two).cores())
                .as("an appended variable redefines the number of cores")
                .isEqualTo(8);
        assertThat(w.priority(two)).isEqualTo(7);
    }

    @Test
    void makesScriptsPartOfTheCommand() {
        assertThat(script("w2")).isEqualTo("""
                        ./stage.sh w2 in 1 || exit
                        ( exec /opt/demo/work --part 2 --label 'no label' )
                        RETURN=$?
                        ./check.sh $RETURN '$JOB=x'\
                        """);
        assertThat(script("report")).isEqualTo("""
                        ( cd reports && ./pre.sh ) || exit
                        cd reports/out && exec "$OLDPWD"/reports/report.py < numbers.csv > report.txt\
                        """);
    }

    @Test
    void readsInlineDescriptions() {
        int merge = w.find("merge");
        assertThat(script("merge"))
                .isEqualTo("exec ./merge.sh 'a\"b' ''\\''c' 'd'\\''' merge last > merged-merge.txt 2>&1");
        assertThat(Objects.requireNonNull(w.command(merge)).environment())
                .isEqualTo(Map.of("LANG", "C", "MODE", "very fast"));
        assertThat(w.timeMicros(merge)).isEqualTo(12_000_000);
        assertThat(w.limitMicros(merge)).isEqualTo(60_000_000);
        assertThat(w.category(merge).name()).isEqualTo("merge.sh");
    }

    @Test
    void doneAndNoopNodesRunNoJob() {
        assertThat(script("skipped")).isEqualTo("( exec true )\nRETURN=$?\n./after.sh -1");
        assertThat(w.timeMicros(w.find("skipped"))).isZero();
        assertThat(Objects.requireNonNull(w.command(w.find("before"))).argv()).containsExactly("true");
        assertThat(w.timeMicros(w.find("before"))).isZero();
    }

    private String script(String id) {
        return Objects.requireNonNull(w.command(w.find(id))).script();
    }
}
