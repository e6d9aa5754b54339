package io.sheaf.workflow;

import java.util.Arrays;

/**
 * Numbers for names, from 0 in order of first appearance.
 *
 * <p>An open-addressing table over an array of strings: 12 bytes per name besides the string, against about 70 in a HashMap. The hash has a
 * random key per process, so that no file can force collisions; output does not depend on it.
 */
final class Names {
    private static final int KEY = System.identityHashCode(new Object()) * 0x9e3779b9;

    private String[] names;
    private int[] table;
    private int size;

    Names(int expected) {
        names = new String[Math.max(16, expected)];
        table = new int[tableSize(expected)];
    }

    /** An independent copy. */
    Names(Names other) {
        names = Arrays.copyOf(other.names, other.size);
        table = other.table.clone();
        size = other.size;
    }

    int size() {
        return size;
    }

    String name(int number) {
        return names[number];
    }

    /** The number of this name, or −1. */
    int find(String name) {
        return table[slot(name)] - 1;
    }

    /** The number of this name, which is a new one if the name is new. */
    int number(String name) {
        int slot = slot(name);
        if (table[slot] != 0) {
            return table[slot] - 1;
        }
        if (size == names.length) {
            names = Arrays.copyOf(names, size + (size >> 1) + 16);
        }
        names[size++] = name;
        table[slot] = size;
        if (size * 2L > table.length) {
            grow();
        }
        return size - 1;
    }

    private int slot(String name) {
        int mask = table.length - 1;
        int slot = hash(name) & mask;
        while (table[slot] != 0 && !names[table[slot] - 1].equals(name)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        table = new int[table.length * 2];
        int mask = table.length - 1;
        for (int number = 0; number < size; number++) {
            int slot = hash(names[number]) & mask;
            while (table[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            table[slot] = number + 1;
        }
    }

    private static int hash(String name) {
        int hash = KEY;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x01000193;
            hash ^= hash >>> 15;
        }
        hash *= 0x85ebca6b;
        return hash ^ (hash >>> 13);
    }

    private static int tableSize(int expected) {
        return Integer.highestOneBit(Math.max(16, expected) * 2 - 1) << 1;
    }
}
