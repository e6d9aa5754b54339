package io.sheaf.runtime.batch;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The terms of job submissions, such as account and partition: command-line options by name, without dashes, in
 * order.
 *
 * @param passedOn options that are passed to the batch system unchanged
 */
public record SubmissionTerms(Map<String, String> named, List<String> passedOn) {
    public SubmissionTerms {
        named = new LinkedHashMap<>(named);
        passedOn = List.copyOf(passedOn);
    }

    public boolean isEmpty() {
        return named.isEmpty() && passedOn.isEmpty();
    }

    /**
     * The batch system's options for these terms.
     *
     * @param title the batch system's name in messages
     * @param words the batch system's option for each name, before the value; a single one that ends with = is
     * joined with its value
     */
    public List<String> words(String title, Map<String, String> words) {
        List<String> all = new ArrayList<>();
        named.forEach((name, value) -> {
            String word = words.get(name);
            if (word == null) {
                throw new InputException("--" + name + ": " + title + " has no equivalent; remove it");
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
