package io.sheaf.site;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** Paths in the repository, the addresses of what is published of them, and links from the one to the other; all with slashes. */
final class Links {
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final String MARKDOWN = ".md";
    private static final String CONTENTS = "README.md";

    private Links() {}

    /** Whether a target is not in the repository. */
    static boolean isElsewhere(String target) {
        return ELSEWHERE.matcher(target).matches();
    }

    /** The target without its anchor. */
    static String file(String target) {
        int anchor = target.indexOf('#');
        return anchor < 0 ? target : target.substring(0, anchor);
    }

    /** The anchor of a target; empty if it has none. */
    static String anchor(String target) {
        int anchor = target.indexOf('#');
        return anchor < 0 ? "" : target.substring(anchor + 1);
    }

    /** What a link without an anchor on a page leads to, as a path in the repository; one that leads out of it begins with two dots. */
    static String resolve(String page, String file) {
        if (file.isEmpty()) {
            return page;
        }
        return Path.of("/root", page).resolveSibling(file).normalize().startsWith("/root")
                ? slashes(Path.of("/root")
                        .relativize(Path.of("/root", page).resolveSibling(file).normalize()))
                : "../" + file;
    }

    /** Where the file of a path is published: pages as HTML, all else as it is. */
    static String published(String path) {
        if (path.equals(CONTENTS) || path.endsWith("/" + CONTENTS)) {
            return path.substring(0, path.length() - CONTENTS.length()) + "index.html";
        }
        return path.endsWith(MARKDOWN) ? path.substring(0, path.length() - MARKDOWN.length()) + ".html" : path;
    }

    /** The link from the page of a path to something published. */
    static String relative(String page, String published) {
        Path from = Path.of("/", page).getParent();
        return slashes((from == null ? Path.of("/") : from).relativize(Path.of("/", published)));
    }

    static boolean isPage(String path) {
        return path.endsWith(MARKDOWN);
    }

    private static String slashes(Path path) {
        return path.toString().replace('\\', '/');
    }
}
