package io.sheaf.formats.dagman;

import io.sheaf.formats.NumberText;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.text.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a DAG file.
 *
 * <p>Nodes are declared while reading; commands about nodes are applied at the end of the file, so that they may precede them and ALL_NODES
 * includes every node. Keywords are case-insensitive, names are not.
 */
final class DagFile {
    /** A line with PARENT and CHILD. */
    record Dependency(List<String> parents, List<String> children, long place) {}

    private record DagStatement(String keyword, List<String> words, String line, long place) {}

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final String ALL_NODES = "ALL_NODES";
    private static final int MAX_EDGES = 50_000_000;
    private static final List<String> IGNORED =
            List.of("CONFIG", "MAXJOBS", "DOT", "NODE_STATUS_FILE", "JOBSTATE_LOG", "SAVE_POINT_FILE", "ENV");
    private static final List<String> UNSUPPORTED = List.of(
            "SUBDAG",
            "SPLICE",
            "INCLUDE",
            "FINAL",
            "PROVISIONER",
            "SERVICE",
            "PRE_SKIP",
            "ABORT-DAG-ON",
            "REJECT",
            "CONNECT",
            "PIN_IN",
            "PIN_OUT",
            "DATA");
    private static final List<String> READ = List.of(
            "JOB",
            "NODE",
            "PARENT",
            "CHILD",
            "VARS",
            "RETRY",
            "PRIORITY",
            "SCRIPT",
            "CATEGORY",
            "DONE",
            "SUBMIT-DESCRIPTION",
            "SET_JOB_ATTR");

    final Map<String, DagNode> nodes = new LinkedHashMap<>();
    final Map<String, SubmitDescription> descriptions = new HashMap<>();
    final Map<String, SubmitDescription.SubmitValue> attributes = new LinkedHashMap<>();
    final List<Dependency> dependencies = new ArrayList<>();

    private final String file;
    private final List<DagStatement> later = new ArrayList<>();
    private long edges;

    DagFile(String file) {
        this.file = file;
    }

    void read(Lines lines) throws IOException {
        for (String line = lines.next(); line != null; line = lines.next()) {
            try {
                command(line, lines);
            } catch (InputException e) {
                throw e.at(lines.place());
            }
        }
        for (DagStatement statement : later) {
            try {
                apply(statement);
            } catch (InputException e) {
                throw e.at(statement.place());
            }
        }
    }

    /** Whether it has neither nodes nor a command that marks an empty workflow. */
    boolean isIgnored() {
        return nodes.isEmpty() && dependencies.isEmpty() && attributes.isEmpty();
    }

    private void command(String line, Lines lines) throws IOException {
        List<String> words = Arrays.asList(BLANKS.split(line));
        String keyword = words.get(0).toUpperCase(Locale.ROOT);
        switch (keyword) {
            case "JOB", "NODE" -> job(words, lines);
            case "SUBMIT-DESCRIPTION" -> description(words, lines);
            case "PARENT" -> parent(words, lines.place());
            case "VARS", "RETRY", "PRIORITY", "SCRIPT", "CATEGORY", "DONE" ->
                later.add(new DagStatement(keyword, words, line, lines.place()));
            case "SET_JOB_ATTR" -> attribute(line, lines.place());
            default -> other(keyword, words.get(0));
        }
    }

    private static void other(String keyword, String written) {
        if (UNSUPPORTED.contains(keyword)) {
            throw new InputException(keyword + " is not supported; write its nodes into one DAG file, or remove it");
        }
        if (!IGNORED.contains(keyword)) {
            List<String> all = new ArrayList<>(READ);
            all.addAll(IGNORED);
            throw new InputException("'" + written + "' is not a DAGMan command." + Nearest.hint(written, all));
        }
    }

    private void job(List<String> words, Lines lines) throws IOException {
        if (words.size() < 3) {
            throw new InputException("JOB needs a name and a submit description: JOB name file.sub");
        }
        String name = words.get(1);
        long place = lines.place();
        DagNode before = nodes.get(name);
        if (before != null) {
            throw new InputException(
                    "node '" + name + "' is declared twice (first at " + Place.text(before.place)
                            + "); names must differ",
                    place);
        }
        DagNode node;
        List<String> options;
        if (words.get(2).equals("{")) {
            SubmitDescription inline = new SubmitDescription("", file);
            alone(words);
            options = BLANKS.splitAsStream(inline.readInline(lines))
                    .filter(word -> !word.isEmpty())
                    .toList();
            node = new DagNode(name, place, null, inline);
        } else {
            node = new DagNode(name, place, words.get(2), null);
            options = words.subList(3, words.size());
        }
        options(node, options);
        nodes.put(name, node);
    }

    private static void alone(List<String> words) {
        if (words.size() > 3) {
            throw new InputException("text after '{'; begin the submit commands in the next line");
        }
    }

    private static void options(DagNode node, List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i).toUpperCase(Locale.ROOT)) {
                case "DIR" -> {
                    i++;
                    node.folder = wordAt(words, i, "JOB name file.sub DIR folder");
                }
                case "NOOP" -> node.runsNothing = true;
                case "DONE" -> node.done = true;
                default ->
                    throw new InputException(
                            "'" + words.get(i) + "' is unknown after JOB; use DIR, NOOP or DONE", node.place);
            }
        }
    }

    private void description(List<String> words, Lines lines) throws IOException {
        if (words.size() < 3 || !words.get(2).equals("{")) {
            throw new InputException("SUBMIT-DESCRIPTION needs a name and a brace: SUBMIT-DESCRIPTION name {");
        }
        alone(words);
        SubmitDescription description = new SubmitDescription(words.get(1), file);
        long place = lines.place();
        description.readInline(lines);
        if (descriptions.put(words.get(1), description) != null) {
            throw new InputException(
                    "the submit description '" + words.get(1) + "' is declared twice; names must differ", place);
        }
    }

    private void parent(List<String> words, long place) {
        int child = 1;
        while (child < words.size() && !words.get(child).equalsIgnoreCase("CHILD")) {
            child++;
        }
        if (child == 1 || child >= words.size() - 1) {
            throw new InputException("PARENT needs parents and children: PARENT a b CHILD c d");
        }
        Dependency dependency = new Dependency(words.subList(1, child), words.subList(child + 1, words.size()), place);
        edges += (long) dependency.parents().size() * dependency.children().size();
        if (edges > MAX_EDGES) {
            throw new InputException("more than " + MAX_EDGES + " edges; put a node between the parents and children");
        }
        dependencies.add(dependency);
    }

    private void attribute(String line, long place) {
        String rest = line.substring("SET_JOB_ATTR".length());
        int equals = rest.indexOf('=');
        if (equals < 0) {
            throw new InputException("SET_JOB_ATTR needs a name and a value: SET_JOB_ATTR name = value");
        }
        String value = Quoting.string(rest.substring(equals + 1).replace("$(DOLLAR)", "$"));
        attributes.put(
                rest.substring(0, equals).strip().toLowerCase(Locale.ROOT),
                new SubmitDescription.SubmitValue(value, place));
    }

    private void apply(DagStatement statement) {
        List<String> words = statement.words();
        switch (statement.keyword()) {
            case "RETRY" -> {
                int retries = NumberText.count(wordAt(words, 2, "RETRY node 3"), 0, "RETRY");
                named(words.get(1)).forEach(node -> node.retries = retries);
            }
            case "PRIORITY" -> {
                int priority = NumberText.integer(wordAt(words, 2, "PRIORITY node 10"), "PRIORITY");
                named(words.get(1)).forEach(node -> node.priority = priority);
            }
            case "CATEGORY" -> {
                String category = wordAt(words, 2, "CATEGORY node name");
                named(words.get(1)).forEach(node -> node.category = category);
            }
            case "DONE" -> named(wordAt(words, 1, "DONE node")).forEach(node -> node.done = true);
            case "SCRIPT" -> script(words);
            default -> vars(statement);
        }
    }

    private void script(List<String> words) {
        String example = "SCRIPT PRE node program";
        int at = 1;
        if (wordAt(words, at, example).equalsIgnoreCase("DEFER")) {
            at += 3;
        }
        if (wordAt(words, at, example).equalsIgnoreCase("DEBUG")) {
            at += 3;
        }
        String phase = wordAt(words, at, example).toUpperCase(Locale.ROOT);
        String name = wordAt(words, at + 1, example);
        wordAt(words, at + 2, example);
        List<String> command = words.subList(at + 2, words.size());
        switch (phase) {
            case "PRE" -> named(name).forEach(node -> node.pre = command);
            case "POST" -> named(name).forEach(node -> node.post = command);
            case "HOLD" -> named(name);
            default -> throw new InputException("a script is PRE, POST or HOLD, not '" + phase + "'");
        }
    }

    private void vars(DagStatement statement) {
        String name = wordAt(statement.words(), 1, "VARS node name=\"value\"");
        DagVariables variables = DagVariables.parse(statement.line(), name);
        for (DagNode node : named(name)) {
            (variables.append() ? node.appended : node.prepended).putAll(variables.values());
        }
    }

    /** The value of an attribute of the whole DAG; empty if it has none. */
    String attribute(String name) {
        SubmitDescription.SubmitValue entry = attributes.get(name);
        return entry == null ? "" : entry.value();
    }

    /** The node of this name, or all of them. */
    private Iterable<DagNode> named(String name) {
        if (name.equalsIgnoreCase(ALL_NODES)) {
            return nodes.values();
        }
        @Nullable DagNode node = nodes.get(name);
        if (node == null) {
            throw new InputException("there is no node '" + name + "'." + Nearest.hint(name, nodes.keySet()));
        }
        return List.of(node);
    }

    private static String wordAt(List<String> words, int index, String example) {
        if (index >= words.size()) {
            throw new InputException("a word is missing; write for example: " + example);
        }
        return words.get(index);
    }

    /**
     * The variables of a VARS command, by lower-case names.
     *
     * @param append whether they override the submit description
     */
    private record DagVariables(Map<String, String> values, boolean append) {
        /** Reads {@code VARS node [PREPEND|APPEND] name="value" …}. */
        static DagVariables parse(String line, String node) {
            int at = line.indexOf(node, "VARS".length() + 1) + node.length();
            boolean append = false;
            Map<String, String> values = new LinkedHashMap<>();
            while (true) {
                at = skipBlanks(line, at);
                if (at == line.length()) {
                    break;
                }
                int end = at;
                while (end < line.length() && line.charAt(end) != '=' && !Character.isWhitespace(line.charAt(end))) {
                    end++;
                }
                String name = line.substring(at, end).toLowerCase(Locale.ROOT);
                int equals = skipBlanks(line, end);
                boolean first = values.isEmpty();
                if (first && (name.equals("append") || name.equals("prepend")) && !startsWith(line, equals, '=')) {
                    append = name.equals("append");
                    at = end;
                } else {
                    int quote = startsWith(line, equals, '=') ? skipBlanks(line, equals + 1) : equals;
                    if (name.isEmpty() || !startsWith(line, equals, '=') || !startsWith(line, quote, '"')) {
                        throw new InputException(
                                "a variable of VARS is not name=\"value\"; put its value in double quotes");
                    }
                    StringBuilder value = new StringBuilder();
                    at = value(line, quote + 1, value);
                    values.put(name.startsWith("+") ? "my." + name.substring(1) : name, value.toString());
                }
            }
            return new DagVariables(values, append);
        }

        /** Reads up to behind the closing quote. */
        private static int value(String line, int from, StringBuilder value) {
            int at = from;
            while (at < line.length() && line.charAt(at) != '"') {
                if (line.charAt(at) == '\\' && at + 1 < line.length() && "\\\"".indexOf(line.charAt(at + 1)) >= 0) {
                    at++;
                }
                value.append(line.charAt(at));
                at++;
            }
            if (at == line.length()) {
                throw new InputException("a double quote of VARS is never closed; close it");
            }
            return at + 1;
        }

        private static boolean startsWith(String line, int at, char c) {
            return at < line.length() && line.charAt(at) == c;
        }

        private static int skipBlanks(String line, int from) {
            int at = from;
            while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
                at++;
            }
            return at;
        }
    }
}
