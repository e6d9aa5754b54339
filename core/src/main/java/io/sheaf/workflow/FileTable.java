package io.sheaf.workflow;

import io.sheaf.text.InputException;
import java.util.Arrays;

/** The files that tasks read and write: a name and a size each. */
final class FileTable {
    static final long UNKNOWN = -1;

    final Names names;
    long[] size;
    private long total;

    FileTable() {
        names = new Names(16);
        size = new long[16];
    }

    FileTable(FileTable other) {
        names = new Names(other.names);
        size = Arrays.copyOf(other.size, other.names.size());
        total = other.total;
    }

    int count() {
        return names.size();
    }

    /** The number of this file; its first size is used. */
    int number(String name, long bytes) {
        int before = names.size();
        int file = names.number(name);
        if (file == size.length) {
            size = Arrays.copyOf(size, file + (file >> 1) + 16);
        }
        if (file == before || size[file] == UNKNOWN) {
            size[file] = bytes;
            count(bytes);
        }
        return file;
    }

    /** Rejects sizes whose sum would overflow. */
    private void count(long bytes) {
        if (bytes > Long.MAX_VALUE - total) {
            throw new InputException("the file sizes add up to more than Sheaf can count (8 EiB)");
        }
        total += Math.max(0, bytes);
    }
}
