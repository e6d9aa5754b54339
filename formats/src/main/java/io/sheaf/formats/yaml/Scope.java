package io.sheaf.formats.yaml;

import io.sheaf.formats.ShellWords;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables that a text may use: those of {@code vars}, those of a {@code foreach}, and the task's files. */
final class Scope {
    static final String IN = "in";
    static final String OUT = "out";

    /** The cores of a task on each node. */
    static final String CORES = "cores";

    /** Of long texts that are filled in one scope and row. */
    private static final long MAX_FILLED = 64L << 20;

    private static final int LONG_TEXT = 4096;

    private final Map<String, String> constants;
    private final Map<String, Values> lists;
    private final FoundFiles found;
    private final @Nullable Foreach foreach;
    private int row;
    private long filled;
    /** The files of {@code {in}}, {@code {out}} and their named parts such as {@code {in.reads}}; empty outside of run and env. */
    private Map<String, List<String>> files = Map.of();

    /** The value of {@code {cores}}; null outside of run and env. */
    private @Nullable String cores;

    /** No variables. */
    Scope(FoundFiles found) {
        this(new LinkedHashMap<>(), new LinkedHashMap<>(), found, null);
    }

    private Scope(
            Map<String, String> constants, Map<String, Values> lists, FoundFiles found, @Nullable Foreach foreach) {
        this.constants = constants;
        this.lists = lists;
        this.found = found;
        this.foreach = foreach;
    }

    /** The files beside the workflow. */
    FoundFiles found() {
        return found;
    }

    /** These variables and those of a foreach, of which {@link #row} chooses the values. */
    Scope with(Foreach loop) {
        return new Scope(constants, lists, found, loop);
    }

    /** The same variables, for a task without foreach. */
    Scope copy() {
        return new Scope(constants, lists, found, null);
    }

    void define(String name, String value) {
        constants.put(name, value);
    }

    void define(String name, Values list) {
        lists.put(name, list);
    }

    @Nullable
    Values list(String name) {
        return lists.get(name);
    }

    String listHint(String name) {
        return Nearest.hint(name, lists.keySet());
    }

    void row(int number) {
        row = number;
        filled = 0;
        files = Map.of();
        cores = null;
    }

    /** Binds {@code {in}}, {@code {out}} and their parts to these, and {@code {cores}}, until the next row. A variable of that name goes first. */
    void files(Map<String, List<String>> byName, String itsCores) {
        files = byName;
        cores = itsCores;
    }

    /** Counts the characters of a text with variables; many long ones would fill the memory. */
    void filled(int characters, long place) {
        filled += characters > LONG_TEXT ? characters : 0;
        if (filled > MAX_FILLED) {
            throw new InputException(
                    "the variables grow to more than " + MAX_FILLED + " characters; put long texts into files", place);
        }
    }

    /** The files of a text that is exactly {@code {in}}, {@code {out}} or one of their parts, otherwise null. */
    @Nullable
    List<String> files(String text) {
        return text.startsWith("{") && text.endsWith("}") ? files.get(text.substring(1, text.length() - 1)) : null;
    }

    /** The value of a variable that is mentioned at this place. */
    String value(String name, long place) {
        String value = find(name);
        if (value != null) {
            return value;
        }
        if (name.equals(CORES) || (Template.isFiles(name) && files.isEmpty())) {
            throw new InputException("{" + name + "} can be used in run and env only", place);
        }
        if (lists.containsKey(name)) {
            throw new InputException(
                    "'" + name + "' is a list; use it in a foreach, as in 'foreach: {x: " + name + "}'", place);
        }
        throw new InputException(
                "there is no variable '" + name + "' here." + Nearest.hint(name, names()) + " Write {{" + name
                        + "}} for literal braces",
                place);
    }

    private @Nullable String find(String name) {
        if (foreach != null) {
            int variable = foreach.find(name);
            if (variable >= 0) {
                return foreach.value(variable, row);
            }
        }
        String constant = constants.get(name);
        if (constant != null) {
            return constant;
        }
        if (cores != null && name.equals(CORES)) {
            return cores;
        }
        List<String> list = files.get(name);
        return list == null ? null : ShellWords.join(list);
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        if (foreach != null) {
            names.addAll(foreach.names());
        }
        names.addAll(constants.keySet());
        names.addAll(files.keySet());
        return names;
    }

    /** Refuses what cannot name a variable. */
    static String checkName(Text name) {
        if (!Template.isName(name.text())) {
            throw new InputException(
                    "'" + name.text() + "' cannot name a variable; use letters, digits and _", name.place());
        }
        if (name.text().equals(IN) || name.text().equals(OUT)) {
            throw new InputException(
                    "a variable cannot be called '" + name.text() + "': {" + name.text()
                            + "} is replaced by the task's files",
                    name.place());
        }
        return name.text();
    }
}
