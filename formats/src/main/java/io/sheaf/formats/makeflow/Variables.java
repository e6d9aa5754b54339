package io.sheaf.formats.makeflow;

import io.sheaf.text.InputException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a Makeflow file where they are looked up: those of the rule, of the category in force, of all, of the environment.
 *
 * <p>What is defined before any CATEGORY belongs to the category {@code default}, which is that of all.
 */
final class Variables {
    static final String DEFAULT = "default";

    /** A value with the place where it was given. */
    record Value(String text, long place) {}

    /** The maximum total length of substituted text in a file: a few variables that double each other would exhaust the memory. */
    private static final long MAX_GROWTH = 1 << 28;

    private static final int LONGEST_VALUE = 16 << 20;

    private final Map<String, String> environment;
    private final Map<String, Map<String, Value>> ofCategory = new HashMap<>();
    private final Map<String, Value> ofAll = new HashMap<>();
    private final Set<String> exported = new LinkedHashSet<>();
    private @Nullable Map<String, Value> ofRule;
    private String category = DEFAULT;
    private long growth;

    Variables(Map<String, String> environment) {
        this.environment = environment;
        ofCategory.put(DEFAULT, ofAll);
    }

    /** The category of the rules that follow. */
    String category() {
        return category;
    }

    void category(String name) {
        category = name;
    }

    /** Begins a rule, which then has what is defined. */
    void beginRule(Map<String, Value> variables) {
        ofRule = variables;
    }

    void endRule() {
        ofRule = null;
    }

    void export(Collection<String> names) {
        exported.addAll(names);
    }

    void define(String name, String text, long place) {
        Map<String, Value> scope = ofRule != null ? ofRule : categoryOf(category);
        scope.put(name, new Value(text, place));
    }

    /** Appends to the rule's variable, or else to the global one, independent of the current category. */
    void append(String name, String more, long place) {
        Map<String, Value> scope = ofRule != null ? ofRule : ofAll;
        Value before = scope.get(name);
        before = before == null ? ofAll.get(name) : before;
        String text = before == null ? more : before.text() + " " + more;
        if (text.length() > LONGEST_VALUE) {
            throw new InputException(
                    "the variable '" + name + "' grows longer than " + LONGEST_VALUE + " characters", place);
        }
        countCharacters(text.length() - more.length(), place);
        scope.put(name, new Value(text, place));
    }

    @Nullable
    String value(String name) {
        Value value = ofRule == null ? null : ofRule.get(name);
        value = value == null ? categoryOf(category).get(name) : value;
        value = value == null ? ofAll.get(name) : value;
        return value == null ? environment.get(name) : value.text();
    }

    /** The last value for a category, or the global one. */
    @Nullable
    Value ofCategory(String name, String variable) {
        Map<String, Value> known = ofCategory.getOrDefault(name, ofAll);
        Value value = known.get(variable);
        return value == null ? ofAll.get(variable) : value;
    }

    /** The exported variables of a rule of a category; variables that the file does not define stay unchanged. */
    Map<String, String> environment(Map<String, Value> rule, String ruleCategory) {
        Map<String, String> seen = new LinkedHashMap<>();
        for (String name : exported) {
            Value value = rule.get(name);
            value = value == null ? ofCategory(ruleCategory, name) : value;
            if (value != null) {
                seen.put(name, value.text());
            }
        }
        return seen;
    }

    void countCharacters(long characters, long place) {
        growth += characters;
        if (characters > LONGEST_VALUE || growth > MAX_GROWTH) {
            throw new InputException("the variables of this file grow without bound", place);
        }
    }

    private Map<String, Value> categoryOf(String name) {
        return ofCategory.computeIfAbsent(name, key -> new HashMap<>());
    }
}
