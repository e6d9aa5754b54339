package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowParameters;
import io.sheaf.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests values of variables from the command line and the environment. */
class ParametersTest {
    private static final String TEXT = """
            vars:
              n: {type: int, default: 4}
              mode: {choices: [fast, exact], default: fast}
              who: {env: PROJECT, default: nobody}
              samples: [a, b]
              twice: "{n}-{n}"
            tasks:
              t: {foreach: {s: samples}, run: "echo {n} {mode} {who} {twice} {s}"}
            """;

    private static Workflow read(String text, Map<String, List<String>> parameters, Map<String, String> environment) {
        Map<String, WorkflowParameters.Given> all = new HashMap<>();
        parameters.forEach((name, values) ->
                all.put(name, new WorkflowParameters.Given(values, values.size() > 1, "--set " + name)));
        Source source = Source.of("w.yaml", text.getBytes(StandardCharsets.UTF_8))
                .with(new WorkflowParameters(all, environment));
        return new SheafYaml().read(source, true);
    }

    private static String script(Workflow workflow, int task) {
        return Objects.requireNonNull(workflow.command(task)).script();
    }

    @Test
    void defaultsApplyUnlessAValueIsSet() {
        assertThat(script(read(TEXT, Map.of(), Map.of("OTHER", "x")), 0)).isEqualTo("echo 4 fast nobody 4-4 a");
        Workflow workflow = read(
                TEXT,
                Map.of("n", List.of("8"), "mode", List.of("exact"), "samples", List.of("x", "y", "z")),
                Map.of("PROJECT", "me"));
        assertThat(workflow.size()).isEqualTo(3);
        assertThat(script(workflow, 2)).isEqualTo("echo 8 exact me 8-8 z");
        assertThat(script(read(TEXT, Map.of("who", List.of("cli")), Map.of("PROJECT", "me")), 0))
                .contains(" cli ");
        assertThat(read(TEXT, Map.of("samples", List.of("1..5")), Map.of()).size())
                .isEqualTo(5);
    }

    @Test
    void invalidValuesAreRefused() {
        assertThatThrownBy(() -> read(TEXT, Map.of("n", List.of("many")), Map.of()))
                .hasMessage("w.yaml:2:6: --set n: variable 'n' must be of type int, not 'many'");
        assertThatThrownBy(() -> read(TEXT, Map.of("mode", List.of("slow")), Map.of()))
                .hasMessageContaining("must be one of fast, exact, not 'slow'");
        assertThatThrownBy(() -> read(TEXT, Map.of("sample", List.of("x")), Map.of()))
                .hasMessage(
                        "w.yaml: --set sample: there is no variable 'sample' under 'vars'. Did you mean 'samples'?");
        assertThatThrownBy(() -> read("vars: {x: {type: size}}\ntasks: {a: {run: x}}\n", Map.of(), Map.of()))
                .hasMessage("w.yaml:1:11: variable 'x' has no value; give one by --set x=VALUE");
    }
}
