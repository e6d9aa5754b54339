package io.sheaf.app.cli;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowParameters;
import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.NodeTypes;
import io.sheaf.formats.yaml.YamlTree;
import io.sheaf.text.InputException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the values of a workflow's variables. */
@HelpHeading(HelpHeading.WORKFLOW)
public final class ParameterOptions {
    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "Value of a variable of the workflow ('vars' in Sheaf YAML); a list is [a, b]. May be repeated.")
    Map<String, String> set = new LinkedHashMap<>();

    @Option(
            names = "--params",
            paramLabel = "FILE",
            description = "YAML file with values of variables; --set has precedence.")
    private @Nullable String params;

    /** The given values, by variable. */
    public Map<String, WorkflowParameters.Given> variables() {
        Map<String, WorkflowParameters.Given> variables = new LinkedHashMap<>();
        if (params != null) {
            String file = params;
            YamlTree.read(Source.of(Path.of(file))).forEach((name, value) -> {
                List<String> values = NodeTypes.texts(value, name.text()).stream()
                        .map(Node.Text::text)
                        .toList();
                variables.put(name.text(), new WorkflowParameters.Given(values, value instanceof Node.Items, file));
            });
        }
        set.forEach((name, value) -> variables.put(name, variable(name, value)));
        return variables;
    }

    /** A text, or a list in brackets. */
    private static WorkflowParameters.Given variable(String name, String value) {
        boolean list = value.startsWith("[") && value.endsWith("]");
        List<String> values = list
                ? Arrays.stream(value.substring(1, value.length() - 1).split(","))
                        .map(String::strip)
                        .filter(each -> !each.isEmpty())
                        .toList()
                : List.of(value);
        if (values.isEmpty()) {
            throw new InputException("--set " + name + ": the list has no values");
        }
        return new WorkflowParameters.Given(values, list, "--set " + name);
    }
}
