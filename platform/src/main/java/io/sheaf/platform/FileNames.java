package io.sheaf.platform;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** The order of names by their bytes, as C++ maps keep them. */
final class FileNames {
    static final Comparator<String> BY_BYTES = (a, b) -> isPlain(a) && isPlain(b)
            ? a.compareTo(b)
            : Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    private FileNames() {}

    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
