package io.sheaf.gridengine;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a user wants to be told to {@code qsub}, as far as the driver has a part in it.
 *
 * @param environment the parallel environment; empty if none is named, and then a job has one slot
 * @param resources what is asked for by {@code -l}; qalter has to repeat it, since it replaces the whole list
 * @param queues those that are named by {@code -q}; empty for any
 * @param rest all other words
 */
record QsubOptions(String environment, List<String> resources, List<String> queues, List<String> rest) {
    /** Options that are the driver's. */
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
                throw new InputException(word + ": that is Sheaf's to say; leave it out");
            }
            if (!word.equals("-pe") && !word.equals("-l") && !word.equals("-q")) {
                rest.add(word);
                continue;
            }
            if (++i == words.size()) {
                throw new InputException(word + " has nothing behind it");
            }
            String value = words.get(i);
            if (word.equals("-pe")) {
                environment = value;
                if (i + 1 < words.size() && words.get(i + 1).matches("[0-9].*")) {
                    throw new InputException("-pe " + value + " " + words.get(i + 1)
                            + ": leave the number out; a job asks for the slots of its nodes (--cores-per-node each)");
                }
            } else if (word.equals("-l")) {
                resources.add(resource(value));
            } else {
                queues.addAll(List.of(value.split(",")));
                rest.addAll(List.of(word, value));
            }
        }
        return new QsubOptions(environment, List.copyOf(resources), List.copyOf(queues), List.copyOf(rest));
    }

    private static String resource(String value) {
        if (value.matches("(.*,)?[hs]_rt=.*")) {
            throw new InputException("-l " + value + ": time limits are the strategy's; leave it out");
        }
        return value;
    }

    /** What stands behind {@code -l} with this time limit. */
    String limits(long seconds) {
        List<String> all = new ArrayList<>(List.of("h_rt=" + seconds));
        all.addAll(resources);
        return String.join(",", all);
    }

    /** Whether a queue on a host, {@code all.q@n1}, may be used. */
    boolean takes(String instance) {
        String queue = instance.replaceFirst("@.*", "");
        return queues.isEmpty() || queues.contains(queue) || queues.contains(instance);
    }
}
