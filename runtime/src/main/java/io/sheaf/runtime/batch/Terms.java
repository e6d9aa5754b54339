package io.sheaf.runtime.batch;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * On what terms jobs are submitted, as far as batch systems have words for it: options of the command line by name, without dashes, in order.
 *
 * @param passedOn what is told to the batch system as it is
 */
public record Terms(Map<String, String> named, List<String> passedOn) {
    public Terms {
        named = new LinkedHashMap<>(named);
        passedOn = List.copyOf(passedOn);
    }

    public boolean isEmpty() {
        return named.isEmpty() && passedOn.isEmpty();
    }

    /**
     * The words of a submission.
     *
     * @param title what people call the batch system
     * @param words what it calls what is named: those before the value; a single one that ends with = is one word with it
     */
    public List<String> words(String title, Map<String, String> words) {
        List<String> all = new ArrayList<>();
        named.forEach((name, value) -> {
            String word = words.get(name);
            if (word == null) {
                throw new InputException("--" + name + ": " + title + " has nothing like it; leave it out");
            }
            if (word.endsWith("=")) {
                all.add(word + value);
            } else {
                all.addAll(List.of(word, value));
            }
        });
        all.addAll(passedOn);
        return all;
    }
}
