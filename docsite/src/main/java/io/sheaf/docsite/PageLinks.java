package io.sheaf.docsite;

import java.nio.file.Path;
import java.util.regex.Pattern;

/** Conversion between paths in the repository and addresses in the site; both use slashes. */
final class PageLinks {
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final String MARKDOWN = ".md";
    private static final String CONTENTS = "README.md";

    private PageLinks() {}

    /** Whether a target is outside of the repository. */
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

    /** The path in the repository of a link without an anchor; a path outside of the repository begins with two dots. */
    static String resolve(String page, String file) {
        if (file.isEmpty()) {
            return page;
        }
        return Path.of("/root", page).resolveSibling(file).normalize().startsWith("/root")
                ? slashes(Path.of("/root")
                        .relativize(Path.of("/root", page).resolveSibling(file).normalize()))
                : "../" + file;
    }

    /** The address of a file: pages become HTML, other files are copied. */
    static String published(String path) {
        if (path.equals(CONTENTS) || path.endsWith("/" + CONTENTS)) {
            return path.substring(0, path.length() - CONTENTS.length()) + "index.html";
        }
        return path.endsWith(MARKDOWN) ? path.substring(0, path.length() - MARKDOWN.length()) + ".html" : path;
    }

    /** The relative link from the page of a path to an address. */
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
