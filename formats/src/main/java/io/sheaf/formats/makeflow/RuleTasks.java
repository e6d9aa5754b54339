package io.sheaf.formats.makeflow;

import io.sheaf.formats.NumberText;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes tasks of rules. */
final class RuleTasks {
    private static final int MAX_FILES = 50_000_000;

    /** The resources of a task after reading: the last value of a category holds for all its rules. */
    private record RequestedResources(Map<String, Variables.Value> variables, String category) {}

    private final WorkflowBuilder builder;
    private final Variables variables;
    private final List<RequestedResources> requests = new ArrayList<>();
    private final Map<String, Long> makers = new HashMap<>();
    private long files;

    RuleTasks(WorkflowBuilder builder, Variables variables) {
        this.builder = builder;
        this.variables = variables;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    void add(Rule rule, RuleCommand command) {
        List<FileList.RuleFile> targets = rule.files.targets;
        for (FileList.RuleFile target : targets) {
            Long before = makers.putIfAbsent(target.name(), rule.place);
            if (before != null) {
                throw new InputException(
                        "'" + target.name() + "' is made twice (first at " + Place.text(before)
                                + "); rename it in one place",
                        rule.place);
            }
        }
        files += targets.size() + rule.files.sources.size();
        if (files > MAX_FILES) {
            throw new InputException("more than " + MAX_FILES + " files in the rules; split the workflow", rule.place);
        }
        String id =
                targets.isEmpty() ? "rule-" + requests.size() : targets.get(0).name();
        int task = builder.task(id, rule.place);
        String program = command.program();
        boolean named = !rule.category.equals(Variables.DEFAULT) || program.isEmpty();
        builder.category(task, named ? rule.category : program);
        Set<String> read = new HashSet<>();
        for (FileList.RuleFile source : rule.files.sources) {
            if (read.add(source.name())) {
                builder.input(task, builder.file(source.name(), Workflow.UNKNOWN));
            }
        }
        for (FileList.RuleFile target : targets) {
            builder.output(task, builder.file(target.name(), Workflow.UNKNOWN));
        }
        builder.command(task, command.with(rule.files, variables.environment(rule.variables, rule.category)));
        requests.add(new RequestedResources(Map.copyOf(rule.variables), rule.category));
    }

    void setResources() {
        for (int task = 0; task < requests.size(); task++) {
            RequestedResources requested = requests.get(task);
            int cores = count(requested, "CORES", 1);
            long memory = (long) count(requested, "MEMORY", 0) << 20;
            Resources needed = new Resources(cores, memory, count(requested, "GPUS", 0), 1);
            if (!needed.equals(Resources.ONE_CORE)) {
                builder.resources(task, needed);
            }
        }
    }

    private int count(RequestedResources requested, String name, int min) {
        Variables.@Nullable Value value = requested.variables().get(name);
        value = value == null ? variables.ofCategory(requested.category(), name) : value;
        if (value == null) {
            return min;
        }
        String text = MakeflowFile.unquoted(value.text());
        return InputException.at(value.place(), () -> NumberText.count(text, min, name));
    }
}
