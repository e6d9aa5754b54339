package io.sheaf.gridengine;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The user's options for {@code qsub}, split by their meaning to the driver.
 *
 * @param environment the parallel environment; empty if none is named, and then a job has one slot
 * @param resources the {@code -l} resources; qalter must repeat them, since it replaces the whole list
 * @param queues the {@code -q} queues; empty for any
 * @param rest all other arguments
 */
record QsubOptions(String environment, List<String> resources, List<String> queues, List<String> rest) {
    /** Options that the driver sets itself. */
    private static final Set<String> OURS =
            Set.of("-N", "-o", "-e", "-j", "-S", "-wd", "-cwd", "-terse", "-t", "-r", "-sync");

    static QsubOptions of(List<String> words) {
        String environment = "";
        List<String> resources = new ArrayList<>();
        List<String> queues = new ArrayList<>();
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (OURS.contains(word)) {
                throw new InputException(word + ": Sheaf sets this itself; remove it");
            }
            if (!word.equals("-pe") && !word.equals("-l") && !word.equals("-q")) {
                rest.add(word);
                continue;
            }
            if (++i == words.size()) {
                throw new InputException(word + " has no value");
            }
            String value = words.get(i);
            if (word.equals("-pe")) {
                environment = value;
                if (i + 1 < words.size() && words.get(i + 1).matches("[0-9].*")) {
                    throw new InputException("-pe " + value + " " + words.get(i + 1)
                            + ": remove the number; a job requests the slots of its nodes (--cores-per-node each)");
                }
            } else if (word.equals("-l")) {
                if (value.matches("(.*,)?[hs]_rt=.*")) {
                    throw new InputException("-l " + value + ": the strategy sets time limits; remove it");
                }
                resources.add(value);
            } else {
                queues.addAll(List.of(value.split(",")));
                rest.addAll(List.of(word, value));
            }
        }
        return new QsubOptions(environment, List.copyOf(resources), List.copyOf(queues), List.copyOf(rest));
    }

    /** The value of {@code -l} with this time limit and further requests, without these hosts unless the user names hosts. */
    String limits(long seconds, List<String> requests, List<String> remaining) {
        List<String> all = new ArrayList<>(List.of("h_rt=" + seconds));
        all.addAll(requests);
        all.addAll(resources);
        if (!remaining.isEmpty() && resources.stream().noneMatch(each -> each.matches("(.*,)?(h|hostname)=.*"))) {
            all.add("hostname=!(" + String.join("|", remaining) + ")");
        }
        return String.join(",", all);
    }

    /** Whether jobs may use a queue instance such as {@code all.q@n1}; an empty name stands for any. */
    boolean takes(String instance) {
        String queue = instance.replaceFirst("@.*", "");
        return instance.isEmpty() || queues.isEmpty() || queues.contains(queue) || queues.contains(instance);
    }
}
