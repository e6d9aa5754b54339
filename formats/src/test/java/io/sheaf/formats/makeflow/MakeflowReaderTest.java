package io.sheaf.formats.makeflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MakeflowReaderTest {
    private final Workflow w = Samples.read(Samples.pictures());

    @Test
    void readsRulesAndEdges() {
        assertThat(w.name()).isEqualTo("w");
        List<String> edges = new ArrayList<>();
        for (int task = 0; task < w.size(); task++) {
            for (int i = 0; i < w.parents(task); i++) {
                edges.add(w.id(w.parent(task, i)) + " > " + w.id(task));
            }
        }
        assertThat(edges)
                .containsExactly(
                        "picture.jpg > step.90.jpg",
                        "picture.jpg > step.180.jpg",
                        "picture.jpg > step.270.jpg",
                        "step.90.jpg > film.gif",
                        "step.180.jpg > film.gif",
                        "step.270.jpg > film.gif",
                        "film.gif > rule-5");
        int film = w.find("film.gif");
        assertThat(w.fileName(w.input(film, 3))).isEqualTo("old film.gif");
    }

    @Test
    void replacesVariablesAndEscapesInCommands() {
        assertThat(script("picture.jpg")).isEqualTo("curl -o picture.jpg \"http://example.org/a picture.jpg\"");
        assertThat(script("step.90.jpg")).isEqualTo("/usr/bin/convert -swirl 90 picture.jpg step.90.jpg");
        assertThat(script("film.gif"))
                .isEqualTo("/usr/bin/convert -delay 10 step.90.jpg step.180.jpg step.270.jpg film.gif");
        assertThat(script("rule-5")).isEqualTo("echo done, with C");
    }

    @Test
    void aRuleThatRenamesFilesRunsInItsOwnFolder() {
        assertThat(script("step.270.jpg")).isEqualTo("""
                        here=$PWD
                        box=$(mktemp -d "$here/.rule-XXXXXX") || exit
                        trap 'rm -rf "$box"' EXIT
                        cd "$box" || exit
                        ln -s "$here"/picture.jpg picture.jpg || exit
                        ln -s "$here"/script.sh script.sh || exit
                        (
                        sh script.sh "270 #1" 'it is $(MODE)' $HOME   > log && /usr/bin/convert picture.jpg step.270.jpg
                        ) || exit
                        cd "$here" || exit
                        mv "$box"/step.270.jpg step.270.jpg || exit
                        mv "$box"/log step.log || exit
                        """);
    }

    @Test
    void allRulesOfACategoryGetItsLastValues() {
        assertThat(resources("picture.jpg")).isEqualTo(new Resources(1, 256L << 20, 0, 1));
        assertThat(resources("step.90.jpg")).isEqualTo(new Resources(3, 0, 1, 1));
        assertThat(resources("step.180.jpg")).as("the rule's own value").isEqualTo(new Resources(4, 0, 1, 1));
        assertThat(resources("film.gif")).isEqualTo(Resources.ONE_CORE);
    }

    @Test
    void categoriesAreNamedByVariableOrProgram() {
        assertThat(w.category(0).name()).isEqualTo("fetching");
        assertThat(w.category(w.find("step.180.jpg")).name()).isEqualTo("turning");
        assertThat(w.category(w.find("film.gif")).name()).isEqualTo("convert");
        assertThat(Samples.read("a:\n\tx=1 y\n").category(0).name()).isEqualTo("default");
    }

    @Test
    void exportsVariables() {
        assertThat(environment("film.gif")).isEqualTo(Map.of("LANG", "C", "MODE", "fast"));
        assertThat(environment("step.180.jpg")).isEqualTo(Map.of("LANG", "C", "MODE", "slow"));
        Workflow outside = Samples.read("export FROM_OUTSIDE\na:\n\tcat $FROM_OUTSIDE\n");
        assertThat(Objects.requireNonNull(outside.command(0)).environment()).isEmpty();
        assertThat(Objects.requireNonNull(outside.command(0)).script()).isEqualTo("cat outside");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
X=1;X=$(X)2;a:;@echo $X;X=3 | echo 12
X = a  b;a:;@echo $X"$X" | echo a  b"a  b"
X=a\\tb;a:;@echo $X \\t | `echo a	b t`
X=1;X+=2;a:;X+=3;@echo $X | echo 1 2 3
CATEGORY=p;X=1;a:;@CATEGORY=q;@echo $X | echo 1
X=0;CATEGORY=p;X=1;X+=2;a:;@echo $X | echo 1
X=0;CATEGORY=p;X=1;X+=2;CATEGORY=q;a:;@echo $X | echo 0 2
a:;;# nothing;X=1;;@echo $X | echo 1
M=LOCAL;a:;@$M  echo x | echo x
a:;@LOCALE x | LOCALE x
a:;@echo a#b | echo a
a:;@echo a\\#b | echo a#b
a:;@echo "a \\"b\\"" | echo "a "b""
a:;  echo b=7 | echo b=7
a: b=c;@echo x>a | echo x>a
.MAKEFLOW CORES 3;a:;@echo ${CORES} | echo 3
""")
    void readsCommandsLikeMakeflow(String text, String command) {
        String lines =
                text.replace(";@echo", "\n\techo").replace(";@$M", "\n\t$M").replace(";@LOCALE", "\n\tLOCALE");
        Workflow one = Samples.read(lines.replace("\\\\", "\\").replace(';', '\n') + "\n");
        assertThat(Objects.requireNonNull(one.command(0)).script()).isEqualTo(command);
    }

    @Test
    void readsFileNames() {
        Workflow one = Samples.read("F=x y->z\n.SIZE x 2K\na-b 'c d' : $F q$F \"e:f\" \\\n  g\\ h x\n\techo\n");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < one.inputs(0); i++) {
            names.add(one.fileName(one.input(0, i)));
        }
        assertThat(names).containsExactly("x", "y", "qx", "e:f", "g h");
        assertThat(one.fileName(one.output(0, 1))).isEqualTo("c d");
        assertThat(one.fileSize(one.input(0, 0))).isEqualTo(2048);
    }

    @Test
    void isRecognizedByItsSuffixOrItsRules() {
        assertThat(formatOf("w.makeflow", "")).isEqualTo("makeflow");
        assertThat(formatOf("Makeflow", "# c\nX=1\n\na: b\n@Y=2\n\n\techo\n")).isEqualTo("makeflow");
        assertThat(formatOf("w", "tasks:\n  a:\n    run: x\n")).isEqualTo("yaml");
    }

    private static String formatOf(String name, String text) {
        return Formats.readerFor(Source.of(name, text.getBytes(StandardCharsets.UTF_8)))
                .name();
    }

    private String script(String id) {
        return Objects.requireNonNull(w.command(w.find(id))).script();
    }

    private Map<String, String> environment(String id) {
        return Objects.requireNonNull(w.command(w.find(id))).environment();
    }

    private Resources resources(String id) {
        return w.resources(w.find(id));
    }
}
