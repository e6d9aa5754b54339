package io.sheaf.formats.makeflow;

import io.sheaf.formats.NumberText;
import io.sheaf.formats.ShellWords;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.text.Place;
import io.sheaf.text.SizeText;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A Makeflow file while it is read, statement by statement; a rule becomes a task. */
final class MakeflowFile {
    private static final Pattern DIRECTIVE = Pattern.compile("\\.[A-Z]+(\\s.*|)", Pattern.DOTALL);
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final List<String> SETTINGS = List.of("CATEGORY", "CORES", "MEMORY", "DISK", "GPUS", "MODE");
    private static final int MAX_FILES = 50_000_000;

    private final WorkflowBuilder builder;
    private final Variables variables;
    private final Substitution substitution;
    private final List<RequestedResources> requests = new ArrayList<>();
    private final Map<String, Long> makers = new HashMap<>();
    private long files;
    private @Nullable Rule rule;

    MakeflowFile(WorkflowBuilder builder, Variables variables) {
        this.builder = builder;
        this.variables = variables;
        substitution = new Substitution(variables);
    }

    void read(Statements statements) throws IOException {
        for (Statement next = statements.next(); next != null; next = statements.next()) {
            try {
                statement(next);
            } catch (InputException e) {
                throw e.at(next.place());
            }
        }
        refuseOpenRule();
        setResources();
    }

    private void statement(Statement statement) {
        String text = statement.text();
        if (statement.isCommand()) {
            command(statement);
        } else if (text.startsWith("@")) {
            variable(statement, 1);
        } else if (DIRECTIVE.matcher(text).matches()) {
            directive(statement);
        } else if (text.startsWith("{") && requests.isEmpty()) {
            throw new InputException(
                    "this is Makeflow's other language, JX (or JSON), which Sheaf does not read; write the rules in the"
                            + " classic one");
        } else if (isRule(statement)) {
            beginRule(statement);
        } else if (text.equals("export") || text.startsWith("export ") || text.startsWith("export\t")) {
            export(statement);
        } else {
            variable(statement, 0);
        }
    }

    private static boolean isRule(Statement statement) {
        int colon = statement.find(':');
        int equals = statement.find('=');
        if (colon >= 0 && equals == colon + 1) {
            throw new InputException("':=' is make's; Makeflow defines a variable by '='", statement.place(colon));
        }
        return colon >= 0 && (equals < 0 || colon < equals);
    }

    private void beginRule(Statement statement) {
        refuseOpenRule();
        rule = new Rule(new FileList(substitution.files(statement)), variables.category(), statement.place());
        variables.beginRule(rule.variables);
    }

    private void refuseOpenRule() {
        if (rule != null) {
            throw new InputException("this rule has no command; write it into the next line, after a tab", rule.place);
        }
    }

    private void command(Statement statement) {
        if (rule == null) {
            throw new InputException(
                    "a command (this line begins with a blank) without a rule before it; a rule has one command: write"
                            + " 'target: source' above, or remove the blank");
        }
        RuleCommand command = new RuleCommand(substitution.command(statement));
        variables.endRule();
        add(rule, command);
        rule = null;
    }

    private void variable(Statement statement, int from) {
        String text = statement.text();
        int end = Substitution.nameEnd(text, from);
        String name = text.substring(from, end);
        int operator = blanks(text, end);
        boolean append = text.startsWith("+=", operator);
        if (name.isEmpty() || !(append || text.startsWith("=", operator))) {
            String word = BLANKS.split(text, 2)[0];
            throw new InputException(
                    "'" + word + "' begins neither a rule (target: source) nor a variable (NAME=value)."
                            + " A command is indented by a tab");
        }
        String value = substitution.value(statement, blanks(text, operator + (append ? 2 : 1)));
        set(name, value, append, statement.place());
    }

    private void set(String name, String value, boolean append, long place) {
        if (name.equals("CATEGORY") || name.equals("SYMBOL")) {
            String written = unquoted(value);
            String category = written.isEmpty() ? Variables.DEFAULT : written;
            if (rule != null) {
                rule.category = category;
            } else {
                variables.category(category);
            }
        } else if (append) {
            variables.append(name, value, place);
        } else {
            variables.define(name, value, place);
        }
    }

    private void export(Statement statement) {
        int from = blanks(statement.text(), "export".length());
        if (statement.find('=') >= 0) {
            variable(statement, from);
            variables.export(List.of(statement.text().substring(from, Substitution.nameEnd(statement.text(), from))));
        } else {
            variables.export(Arrays.stream(BLANKS.split(statement.text().substring(from)))
                    .filter(name -> !name.isEmpty())
                    .toList());
        }
    }

    private void directive(Statement statement) {
        String[] words = BLANKS.split(statement.text().strip());
        boolean size = words[0].equals(".SIZE");
        if (!size && !words[0].equals(".MAKEFLOW")) {
            throw new InputException("'" + words[0] + "' is unknown; use .MAKEFLOW or .SIZE");
        }
        if (words.length != 3) {
            throw new InputException(
                    "expected two words after " + words[0] + ": .MAKEFLOW CORES 4, or .SIZE in.dat 100M");
        }
        if (size) {
            builder.file(words[1], SizeText.bytes(words[2]));
        } else if (!SETTINGS.contains(words[1])) {
            throw new InputException(
                    "unknown variable of .MAKEFLOW: '" + words[1] + "'." + Nearest.hint(words[1], SETTINGS));
        } else {
            set(words[1], words[2], false, statement.place());
        }
    }

    private static int blanks(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    /** A word without blanks and without quotes around it. */
    private static String unquoted(String text) {
        String word = text.strip();
        boolean quoted = word.length() >= 2
                && (word.charAt(0) == '"' || word.charAt(0) == '\'')
                && word.charAt(0) == word.charAt(word.length() - 1);
        return quoted ? word.substring(1, word.length() - 1) : word;
    }

    /** A rule before its command is read. */
    private static final class Rule {
        final FileList files;
        final Map<String, Variables.Value> variables = new HashMap<>();
        final long place;
        String category;

        Rule(FileList files, String category, long place) {
            this.files = files;
            this.category = category;
            this.place = place;
        }
    }

    /** The resources of a task after reading: the last value of a category holds for all its rules. */
    private record RequestedResources(Map<String, Variables.Value> variables, String category) {}

    private void add(Rule rule, RuleCommand command) {
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

    private void setResources() {
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
        String text = unquoted(value.text());
        return InputException.at(value.place(), () -> NumberText.count(text, min, name));
    }

    /**
     * The command of a rule: a shell script.
     *
     * <p>Where files have other names in the command, it runs in a folder of its own into which what it needs is linked and out of which what
     * it made is moved: two rules may call different files by one name.
     */
    private static final class RuleCommand {
        private final String text;

        /** Removes the words that select where Makeflow runs it. */
        RuleCommand(String written) {
            String rest = written;
            while (isWord(rest, "LOCAL")) {
                rest = rest.substring("LOCAL".length()).stripLeading();
            }
            if (isWord(rest, "MAKEFLOW")) {
                throw new InputException(
                        "MAKEFLOW runs a workflow in the workflow, which Sheaf does not read; write its rules into this file");
            }
            if (rest.isEmpty()) {
                throw new InputException("LOCAL has no command; write the command after it");
            }
            text = rest;
        }

        private static boolean isWord(String text, String word) {
            return text.startsWith(word) && (text.length() == word.length() || text.charAt(word.length()) == ' ');
        }

        /** The name of the program that it begins with; empty if it begins with something else. */
        String program() {
            int end = 0;
            while (end < text.length() && isPlain(text.charAt(end))) {
                end++;
            }
            boolean ends = end == text.length() || text.charAt(end) == ' ';
            return ends ? text.substring(text.lastIndexOf('/', end) + 1, end) : "";
        }

        private static boolean isPlain(char c) {
            return Character.isLetterOrDigit(c) || "_-./+".indexOf(c) >= 0;
        }

        Command with(FileList files, Map<String, String> environment) {
            boolean renamed = files.targets.stream().anyMatch(FileList.RuleFile::isRenamed)
                    || files.sources.stream().anyMatch(FileList.RuleFile::isRenamed);
            return Command.script(renamed ? inOwnFolder(files) : text).with(environment);
        }

        private String inOwnFolder(FileList files) {
            StringBuilder script = new StringBuilder("here=$PWD\nbox=$(mktemp -d \"$here/.rule-XXXXXX\") || exit\n");
            script.append("trap 'rm -rf \"$box\"' EXIT\ncd \"$box\" || exit\n");
            Set<String> folders = new LinkedHashSet<>();
            files.sources.forEach(file -> addFolder(file.remote(), folders));
            files.targets.forEach(file -> addFolder(file.remote(), folders));
            for (String folder : folders) {
                script.append("mkdir -p ").append(word(folder)).append(" || exit\n");
            }
            Set<String> linked = new LinkedHashSet<>();
            for (FileList.RuleFile file : files.sources) {
                if (!file.remote().startsWith("/") && linked.add(file.remote())) {
                    script.append("ln -s ").append(home(file.name()));
                    script.append(' ').append(word(file.remote())).append(" || exit\n");
                }
            }
            script.append("(\n").append(text).append("\n) || exit\ncd \"$here\" || exit\n");
            for (FileList.RuleFile file : files.targets) {
                if (!file.remote().startsWith("/")) {
                    script.append("mv \"$box\"/").append(ShellWords.quote(file.remote()));
                    script.append(' ').append(word(file.name())).append(" || exit\n");
                }
            }
            return script.toString();
        }

        private static void addFolder(String path, Set<String> folders) {
            int slash = path.lastIndexOf('/');
            if (slash > 0 && !path.startsWith("/")) {
                folders.add(path.substring(0, slash));
            }
        }

        private static String home(String name) {
            return name.startsWith("/") ? ShellWords.quote(name) : "\"$here\"/" + ShellWords.quote(name);
        }

        /** A name that no program parses as an option. */
        private static String word(String name) {
            return ShellWords.quote(name.startsWith("-") ? "./" + name : name);
        }
    }
}
