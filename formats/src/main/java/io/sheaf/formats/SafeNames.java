package io.sheaf.formats;

import io.sheaf.workflow.Workflow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Task ids for a format with a smaller character set: each forbidden character becomes an underscore, and colliding names get a number.
 *
 * <p>Valid ids are unchanged.
 */
public final class SafeNames {
    private final String[] names;

    /** Names for all tasks; reserved words, in lower case, are no names in any case. */
    public SafeNames(Workflow workflow, IntPredicate allowed, Set<String> reserved) {
        names = new String[workflow.size()];
        Set<String> taken = new HashSet<>();
        for (int task = 0; task < names.length; task++) {
            String id = workflow.id(task);
            if (id.chars().allMatch(allowed) && !reserved.contains(id.toLowerCase(Locale.ROOT))) {
                names[task] = id;
                taken.add(id);
            }
        }
        Map<String, Integer> next = new HashMap<>();
        for (int task = 0; task < names.length; task++) {
            if (names[task] == null) {
                names[task] = free(cleaned(workflow.id(task), allowed), reserved, taken, next);
            }
        }
    }

    private static String free(String cleaned, Set<String> reserved, Set<String> taken, Map<String, Integer> next) {
        int number = next.getOrDefault(cleaned, 1);
        String name = number == 1 ? cleaned : cleaned + "_" + number;
        while (reserved.contains(name.toLowerCase(Locale.ROOT)) || !taken.add(name)) {
            number++;
            name = cleaned + "_" + number;
        }
        next.put(cleaned, number + 1);
        return name;
    }

    public String name(int task) {
        return names[task];
    }

    private static String cleaned(String id, IntPredicate allowed) {
        StringBuilder out = new StringBuilder();
        id.chars().forEach(c -> out.append(allowed.test(c) ? (char) c : '_'));
        return out.toString();
    }
}
