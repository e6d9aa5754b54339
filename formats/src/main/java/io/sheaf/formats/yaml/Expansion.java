package io.sheaf.formats.yaml;

import io.sheaf.formats.ShellWords;
import io.sheaf.formats.yaml.FileEntry.From;
import io.sheaf.formats.yaml.FileEntry.One;
import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.CoresText;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes tasks of a file: groups are multiplied, variables replaced, settings looked up from task over category to defaults.
 *
 * <p>All tasks are declared first, so that {@code after} and {@code from} may refer to what comes later in the file.
 */
final class Expansion {
    private final Document document;
    private final WorkflowBuilder builder;
    private final Budget budget;
    private final Deferral deferral;
    private final List<TaskSpec> specs;
    private final Directory directory;
    private final CategorySettings categories;

    /** Makes all tasks of a document except those that are deferred. */
    Expansion(Document document, WorkflowBuilder builder, Budget budget, Deferral deferral) {
        this.document = document;
        this.builder = builder;
        this.budget = budget;
        this.deferral = deferral;
        specs = deferral.kept();
        directory = new Directory(builder, document.globals, budget, specs);
        categories = new CategorySettings(document, builder);
    }

    void run() {
        for (TaskSpec spec : specs) {
            declare(spec);
        }
        directory.checkNames();
        for (TaskSpec spec : specs) {
            checkBudget(spec);
            Scope scope = scope(spec);
            for (int i = 0; i < spec.count; i++) {
                scope.row(i);
                fill(spec, spec.first + i, scope);
            }
        }
    }

    /** Refuses all-to-all dependencies between large groups before the first of them is made. */
    private void checkBudget(TaskSpec spec) {
        Scope scope = document.globals;
        for (Text text : spec.after) {
            if (isConstant(text)) {
                Directory.TaskRange parents = directory.find(Template.fill(text, scope), spec, text.place());
                budget.add((long) Budget.LINK * parents.count() * spec.count, text.place());
            }
        }
        for (FileEntry entry : spec.in) {
            if (entry instanceof From from && isWhole(from)) {
                Text tasks = from.tasks();
                Directory.TaskRange writers = directory.find(Template.fill(tasks, scope), spec, tasks.place());
                long links = (long) writers.count() * writers.spec().out.size() * spec.count;
                budget.add(Budget.LINK * links, tasks.place());
            }
        }
    }

    private static boolean isConstant(Text text) {
        return text.text().indexOf('{') < 0;
    }

    private static boolean isWhole(From from) {
        return from.only() == null && isConstant(from.tasks());
    }

    private Scope scope(TaskSpec spec) {
        return spec.foreach == null ? document.globals.copy() : document.globals.with(spec.foreach);
    }

    private void declare(TaskSpec spec) {
        spec.first = builder.size();
        if (spec.foreachNode == null) {
            spec.name = Template.fill(spec.key, document.globals);
            spec.count = 1;
            declare(spec.name, spec.key.place());
            return;
        }
        // Tasks that have run may have written no file.
        document.globals.found().mayBeNone(!deferral.writers(spec).isEmpty());
        Foreach foreach = Foreach.of(spec.foreachNode, document.globals);
        for (String variable : foreach.names()) {
            if (spec.key.text().contains("{" + variable + "}")) {
                throw new InputException(
                        "a foreach's key names the whole group; name its tasks by 'id: " + spec.key.text()
                                + "' below it",
                        spec.key.place());
            }
        }
        spec.name = Template.fill(spec.key, document.globals);
        spec.foreach = foreach;
        spec.count = foreach.size();
        directory.add(spec);
        if (builder.size() + (long) spec.count > Foreach.MAX_TASKS) {
            throw Foreach.tooMany(spec.foreachNode.place());
        }
        Scope scope = scope(spec);
        for (int i = 0; i < spec.count; i++) {
            scope.row(i);
            declare(
                    spec.id == null ? memberId(spec.name, foreach, i) : Template.fill(spec.id, scope),
                    spec.id == null ? spec.key.place() : spec.id.place());
        }
    }

    private void declare(String id, long place) {
        budget.add(Budget.TASK + Budget.OBJECT + id.length(), place);
        builder.task(id, place);
    }

    private static String memberId(String group, Foreach foreach, int row) {
        StringBuilder id = new StringBuilder(group);
        for (int variable = 0; variable < foreach.names().size(); variable++) {
            id.append('-').append(foreach.value(variable, row));
        }
        return id.toString();
    }

    private void fill(TaskSpec spec, int task, Scope scope) {
        Text named = spec.category == null ? document.defaultCategory : spec.category;
        String category = named == null ? spec.name : Template.fill(named, scope);
        builder.category(task, category);
        TaskSettings[] levels = categories.levels(spec, category);
        resources(task, levels, scope);
        time(task, levels, scope);
        numbers(task, levels, scope);
        after(spec, task, scope);
        Map<String, List<String>> files = new HashMap<>();
        outputs(spec, task, scope, files);
        files.put(Scope.IN, new ArrayList<>());
        inputs(spec.in, spec, task, scope, files);
        inputs(spec.uses, spec, task, scope, new HashMap<>());
        scope.files(files, cores(task, levels));
        command(spec, task, levels, scope);
    }

    private static int whole(TaskSettings[] levels, TaskSetting setting, Scope scope, int min, int defaultValue) {
        Node value = TaskSettings.find(levels, setting);
        return value instanceof Text text
                ? NodeTypes.whole(Template.fill(text, scope), setting.key(), min, text.place())
                : defaultValue;
    }

    private void resources(int task, TaskSettings[] levels, Scope scope) {
        long cores = TaskSettings.find(levels, TaskSetting.CORES) instanceof Text text
                ? millicores(text, scope)
                : Resources.CORE;
        long memory = TaskSettings.find(levels, TaskSetting.MEMORY) instanceof Text text ? bytes(text, scope) : 0;
        int nodes = whole(levels, TaskSetting.NODES, scope, 1, 1);
        if (cores < Resources.CORE && nodes > 1) {
            throw new InputException(
                    "task '" + builder.id(task) + "' needs " + CoresText.text(cores) + " cores on each of " + nodes
                            + " nodes; a task of several nodes needs whole cores on each. Maybe set cores: 1",
                    place(levels, TaskSetting.CORES));
        }
        Resources needed = named(Resources.of(cores, memory, 0, nodes), levels, scope);
        if (TaskSettings.find(levels, TaskSetting.GPUS) instanceof Text text) {
            needed = gpus(needed, text, scope);
        }
        if (!needed.equals(Resources.ONE_CORE)) {
            builder.resources(task, needed);
        }
    }

    private static Resources gpus(Resources needed, Text text, Scope scope) {
        return InputException.at(text.place(), () -> GpuText.on(needed, Template.fill(text, scope)));
    }

    /** Named resources of all levels; for a name, the most specific level counts. */
    private static Resources named(Resources needed, TaskSettings[] levels, Scope scope) {
        Map<String, Long> amounts = new TreeMap<>();
        for (int level = levels.length - 1; level >= 0; level--) {
            if (levels[level].get(TaskSetting.RESOURCES) instanceof Mapping all) {
                all.forEach((name, amount) -> {
                    if (amount instanceof Text text) {
                        amounts.put(name.text(), bytes(text, scope));
                    }
                });
            }
        }
        return amounts.isEmpty() ? needed : needed.named(NamedAmounts.of(amounts));
    }

    private static long place(TaskSettings[] levels, TaskSetting setting) {
        Node value = TaskSettings.find(levels, setting);
        return value == null ? Place.NONE : value.place();
    }

    private static long millicores(Text text, Scope scope) {
        return InputException.at(text.place(), () -> CoresText.millicores(Template.fill(text, scope)));
    }

    private static long bytes(Text text, Scope scope) {
        return InputException.at(text.place(), () -> SizeText.bytes(Template.fill(text, scope)));
    }

    private long micros(int task, Text text, Scope scope) {
        String filled = Template.fill(text, scope);
        try {
            return TimeText.micros(filled);
        } catch (InputException e) {
            throw new InputException("task '" + builder.id(task) + "': " + e.problem(), text.place());
        }
    }

    private void time(int task, TaskSettings[] levels, Scope scope) {
        Node time = TaskSettings.find(levels, TaskSetting.TIME);
        if (time instanceof Text text) {
            builder.time(task, micros(task, text, scope), text.place());
        } else if (time instanceof Mapping table) {
            TimeTable times = TimeTable.of(table, scope);
            Resources needed = builder.resources(task);
            if (TaskSettings.find(levels, TaskSetting.CORES) == null && needed.nodes() == 1) {
                needed = needed.cores(times.scaling().usual());
                builder.resources(task, needed);
            }
            budget.add(Budget.OBJECT + 16L * times.scaling().size(), table.place());
            builder.scaling(task, times.scaling());
            long expected = times.expected((long) needed.cores() * needed.nodes());
            if (expected != Workflow.UNKNOWN) {
                builder.time(task, expected, table.place());
            }
        }
        if (TaskSettings.find(levels, TaskSetting.LIMIT) instanceof Text text) {
            builder.limit(task, micros(task, text, scope), text.place());
        }
    }

    /** The value of {@code {cores}}: those of a moldable task are known when it starts. */
    private String cores(int task, TaskSettings[] levels) {
        return TaskSettings.find(levels, TaskSetting.TIME) instanceof Mapping
                ? Command.CORES
                : Integer.toString(builder.resources(task).cores());
    }

    private void numbers(int task, TaskSettings[] levels, Scope scope) {
        Node rule = TaskSettings.find(levels, TaskSetting.RETRY);
        int retries = rule instanceof Mapping fields
                ? RetryRule.times(fields)
                : whole(levels, rule == null ? TaskSetting.RETRIES : TaskSetting.RETRY, scope, 0, 0);
        if (rule instanceof Mapping fields) {
            builder.retry(task, RetryRule.of(fields));
        }
        if (retries != 0) {
            builder.retries(task, retries);
        }
        int priority = whole(levels, TaskSetting.PRIORITY, scope, Integer.MIN_VALUE, 0);
        if (priority != 0) {
            builder.priority(task, priority);
        }
    }

    private void after(TaskSpec spec, int task, Scope scope) {
        for (TaskSpec writer : deferral.writers(spec)) {
            budget.add((long) Budget.LINK * writer.count, spec.key.place());
            for (int i = 0; i < writer.count; i++) {
                builder.edge(writer.first + i, task);
            }
        }
        for (Text text : spec.after) {
            Directory.TaskRange parents = directory.find(Template.fill(text, scope), spec, text.place());
            if (!isConstant(text)) {
                budget.add((long) Budget.LINK * parents.count(), text.place());
            }
            for (int i = 0; i < parents.count(); i++) {
                builder.edge(parents.first() + i, task);
            }
        }
    }

    private void inputs(
            List<FileEntry> entries, TaskSpec spec, int task, Scope scope, Map<String, List<String>> files) {
        for (FileEntry entry : entries) {
            if (entry instanceof One one) {
                String name = mention(one, scope);
                if (one.literal() || !FoundFiles.isPattern(name)) {
                    builder.input(task, builder.file(name, size(one, scope)));
                    note(files, Scope.IN, entry, name);
                    continue;
                }
                for (String found : directory.matching(name, spec, one.name().place())) {
                    builder.input(task, builder.file(found, Workflow.UNKNOWN));
                    note(files, Scope.IN, entry, found);
                }
            } else if (entry instanceof From from) {
                for (String name : gather(from, spec, scope)) {
                    builder.input(task, builder.file(name, Workflow.UNKNOWN));
                    note(files, Scope.IN, entry, name);
                }
            }
        }
    }

    private void outputs(TaskSpec spec, int task, Scope scope, Map<String, List<String>> files) {
        files.put(Scope.OUT, new ArrayList<>());
        for (FileEntry entry : spec.out) {
            if (entry instanceof One one) {
                String name = mention(one, scope);
                if (!one.literal() && FoundFiles.isPattern(name)) {
                    throw new InputException(
                            "an output has one name, not the pattern '" + name
                                    + "'; for files that are known only after"
                                    + " the task has run, write {dir: FOLDER}",
                            one.name().place());
                }
                builder.output(task, builder.file(name, size(one, scope)));
                note(files, Scope.OUT, entry, name);
            }
        }
    }

    /** Makes a file one of {@code {in}} and of {@code {in.label}}. */
    private static void note(Map<String, List<String>> files, String kind, FileEntry entry, String name) {
        files.computeIfAbsent(kind, key -> new ArrayList<>()).add(name);
        if (!entry.label().isEmpty()) {
            files.computeIfAbsent(kind + "." + entry.label(), key -> new ArrayList<>())
                    .add(name);
        }
    }

    private String mention(One file, Scope scope) {
        String name = Directory.name(file, scope);
        budget.add(Budget.LINK + Budget.OBJECT + name.length(), file.name().place());
        return name;
    }

    private static long size(One file, Scope scope) {
        return file.size() == null ? Workflow.UNKNOWN : bytes(file.size(), scope);
    }

    private List<String> gather(From from, TaskSpec spec, Scope scope) {
        String tasks = Template.fill(from.tasks(), scope);
        Directory.TaskRange writers = directory.find(tasks, spec, from.tasks().place());
        List<String> all = directory.written(writers);
        List<String> names = all;
        if (from.only() != null) {
            String pattern = Template.fill(from.only(), scope);
            names = all.stream().filter(name -> Wildcard.fits(pattern, name)).toList();
        }
        if (names.isEmpty() && writers.count() > 0) {
            String restriction = from.only() == null ? "" : " that fits '" + Template.fill(from.only(), scope) + "'";
            throw new InputException(
                    "'" + tasks + "' writes no file" + restriction + "; list what it writes under 'out'",
                    from.tasks().place());
        }
        if (!isWhole(from)) {
            budget.add((long) Budget.LINK * names.size(), from.tasks().place());
        }
        return names;
    }

    private void command(TaskSpec spec, int task, TaskSettings[] levels, Scope scope) {
        Node run = TaskSettings.find(levels, TaskSetting.RUN);
        if (run == null) {
            Node environment = spec.settings.get(TaskSetting.ENV);
            if (environment != null) {
                throw new InputException("'" + spec.name + "' has 'env' but nothing to 'run'", environment.place());
            }
            return;
        }
        Command command = run instanceof Items argv ? program(argv, scope) : script(run, shell(levels, scope), scope);
        Map<String, String> environment = environment(levels, scope);
        builder.command(task, environment.isEmpty() ? command : command.with(environment));
    }

    /** A list of words, or a text that is split at blanks. */
    private static List<String> shell(TaskSettings[] levels, Scope scope) {
        Node shell = TaskSettings.find(levels, TaskSetting.SHELL);
        if (shell == null) {
            return Command.STRICT;
        }
        List<String> words = new ArrayList<>();
        for (Text text : NodeTypes.texts(shell, TaskSetting.SHELL.key())) {
            String filled = Template.fill(text, scope);
            words.addAll(shell instanceof Items ? List.of(filled) : ShellWords.split(filled));
        }
        return words;
    }

    private Command script(Node run, List<String> shell, Scope scope) {
        Text source = NodeTypes.text(run, TaskSetting.RUN.key());
        String script = Template.fill(source, scope);
        budget.add(4L * Budget.OBJECT + script.length(), run.place());
        return Command.script(shell, script);
    }

    /** A list of arguments, in which {@code {in}} or {@code {out}} alone expands to one argument per file. */
    private Command program(Items run, Scope scope) {
        List<String> argv = new ArrayList<>();
        for (Node item : run.items()) {
            Text source = NodeTypes.text(item, TaskSetting.RUN.key());
            List<String> files = scope.files(source.text());
            if (files == null) {
                argv.add(Template.fill(source, scope));
            } else {
                argv.addAll(files);
            }
        }
        if (argv.isEmpty()) {
            throw new InputException("'run' has no program; give one or remove it", run.place());
        }
        for (String argument : argv) {
            budget.add(Budget.OBJECT + argument.length(), run.place());
        }
        return Command.of(argv);
    }

    private Map<String, String> environment(TaskSettings[] levels, Scope scope) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (int level = levels.length - 1; level >= 0; level--) {
            if (levels[level].get(TaskSetting.ENV) instanceof Mapping variables) {
                variables.forEach((name, node) -> {
                    String value = Template.fill(TaskSetting.environment(node, name), scope);
                    budget.add(2L * Budget.OBJECT + value.length(), name.place());
                    environment.put(name.text(), value);
                });
            }
        }
        return environment;
    }
}
