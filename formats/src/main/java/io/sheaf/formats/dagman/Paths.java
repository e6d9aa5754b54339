package io.sheaf.formats.dagman;

/** POSIX paths as text, independent of the local file system. */
final class Paths {
    private Paths() {}

    /** A path seen from outside the folder that it is relative to. */
    static String in(String folder, String path) {
        return folder.isEmpty() || path.startsWith("/") ? path : folder + (folder.endsWith("/") ? "" : "/") + path;
    }

    /** A program in the current folder is run by {@code ./name}. */
    static String program(String path) {
        return path.indexOf('/') >= 0 ? path : "./" + path;
    }

    static String lastName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
