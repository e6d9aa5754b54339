package io.sheaf.workflow;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Amounts of named resources, such as licences, scratch space in bytes, or GPUs of a type ({@code gpu:a100}). Immutable, sorted by name.
 *
 * <p>A limit and a need have the same form. A name that is missing has the amount 0.
 */
public final class NamedAmounts {
    /** No named resources. */
    public static final NamedAmounts NONE = new NamedAmounts(new String[0], new long[0]);

    /** The prefix of the name of GPUs of one type. */
    public static final String GPU = "gpu:";

    private final String[] names;
    private final long[] amounts;

    private NamedAmounts(String[] names, long[] amounts) {
        this.names = names;
        this.amounts = amounts;
    }

    /** The amounts of a map; entries of 0 are dropped. */
    public static NamedAmounts of(Map<String, Long> byName) {
        TreeMap<String, Long> sorted = new TreeMap<>(byName);
        sorted.values().removeIf(amount -> amount == 0);
        if (sorted.isEmpty()) {
            return NONE;
        }
        String[] names = sorted.keySet().toArray(String[]::new);
        long[] amounts = sorted.values().stream().mapToLong(Long::longValue).toArray();
        for (int i = 0; i < names.length; i++) {
            if (amounts[i] < 0 || names[i].isBlank()) {
                throw new IllegalArgumentException("resource '" + names[i] + "': " + amounts[i]);
            }
        }
        return new NamedAmounts(names, amounts);
    }

    public Map<String, Long> map() {
        Map<String, Long> map = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            map.put(names[i], amounts[i]);
        }
        return map;
    }

    public int size() {
        return names.length;
    }

    public String name(int index) {
        return names[index];
    }

    public long amount(int index) {
        return amounts[index];
    }

    /** The amount of a name; 0 if it is missing. */
    public long amount(String name) {
        int index = index(name);
        return index < 0 ? 0 : amounts[index];
    }

    /** The index of a name; negative if it is missing. */
    public int index(String name) {
        return Arrays.binarySearch(names, name);
    }

    /** The amounts, to count down what is free. */
    public long[] amounts() {
        return amounts.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NamedAmounts o && Arrays.equals(names, o.names) && Arrays.equals(amounts, o.amounts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(names) + Arrays.hashCode(amounts);
    }

    /** For people and {@link #equals}: {@code gpu:a100=1, licence=2}. */
    @Override
    public String toString() {
        String text = map().toString();
        return text.substring(1, text.length() - 1);
    }
}
