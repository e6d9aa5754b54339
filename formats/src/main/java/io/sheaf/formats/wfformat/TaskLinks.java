package io.sheaf.formats.wfformat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The references of tasks: to parents and children, or to input and output files.
 *
 * <p>Parents and inputs are incoming, children and outputs outgoing. References are resolved at the end of the file.
 */
final class TaskLinks {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> words = new ArrayList<>();
    private int size;
    private int[] task = new int[32];
    /** The number of the word; inverted if outgoing. */
    private int[] word = new int[32];

    private long[] place = new long[32];

    void add(int of, String text, boolean incoming, long where) {
        if (size == task.length) {
            int capacity = size + (size >> 1);
            task = Arrays.copyOf(task, capacity);
            word = Arrays.copyOf(word, capacity);
            place = Arrays.copyOf(place, capacity);
        }
        int number = number(text);
        task[size] = of;
        word[size] = incoming ? number : ~number;
        place[size] = where;
        size++;
    }

    /** The number of a word, which is a new one if the word is new. */
    int number(String text) {
        Integer known = numbers.get(text);
        if (known != null) {
            return known;
        }
        words.add(text);
        numbers.put(text, words.size() - 1);
        return words.size() - 1;
    }

    /** The first equal string, so that equal ones are stored once. */
    String shared(String text) {
        return words.get(number(text));
    }

    /** The number of a word, or −1 if it was never mentioned. */
    int find(String text) {
        return numbers.getOrDefault(text, -1);
    }

    int words() {
        return words.size();
    }

    String text(int number) {
        return words.get(number);
    }

    int size() {
        return size;
    }

    int task(int link) {
        return task[link];
    }

    boolean isIncoming(int link) {
        return word[link] >= 0;
    }

    int word(int link) {
        return Math.max(word[link], ~word[link]);
    }

    long place(int link) {
        return place[link];
    }
}
