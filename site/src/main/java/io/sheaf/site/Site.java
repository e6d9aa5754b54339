package io.sheaf.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The documentation of a repository as a site: {@code README.md}, its neighbours that pages link to, and all of {@code docs}, in the same folders.
 *
 * <p>Links are checked: what they lead to must be there, with the anchor, and every page must be reached from the first one. Files that are linked to or shown
 * are copied. The site needs no server and no network, and the same sources give the same bytes.
 */
final class Site {
    private static final String FIRST = "README.md";
    private static final String CONTENTS = "docs/README.md";
    private static final List<String> BESIDE = List.of(FIRST, "CHANGELOG.md", "CONTRIBUTING.md");
    private static final String TEMPLATE = resource("page.html");

    private final Path root;
    private final Map<String, Rendered> pages = new TreeMap<>();
    private final Set<String> files = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();
    private Navigation navigation = new Navigation(List.of());

    private Site(Path root) {
        this.root = root;
    }

    /** Reads the documentation of the repository at a folder and checks it. */
    static Site read(Path root) throws IOException {
        Site site = new Site(root);
        Map<String, String> sources = site.sources();
        sources.forEach(site::render);
        site.navigation = Navigation.of(sources.getOrDefault(CONTENTS, ""), CONTENTS);
        site.checkLinks();
        site.checkReached();
        return site;
    }

    /** What is wrong, a line each; nothing may be published if there is anything. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    Map<String, Rendered> pages() {
        return pages;
    }

    private Map<String, String> sources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        List<Path> found = new ArrayList<>();
        for (String name : BESIDE) {
            if (Files.exists(root.resolve(name))) {
                found.add(root.resolve(name));
            }
        }
        if (Files.isDirectory(root.resolve("docs"))) {
            try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
                docs.filter(file -> file.toString().endsWith(".md")).forEach(found::add);
            }
        }
        for (Path file : found) {
            sources.put(path(file), Files.readString(file));
        }
        return sources;
    }

    private String path(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    private void render(String path, String text) {
        try {
            pages.put(path, Markdown.render(text, target -> address(path, target)));
        } catch (MarkdownException e) {
            problems.add(path + ": " + e.getMessage());
        }
    }

    /** Where a link of a page leads to in the site. A folder is its list of pages. */
    private String address(String page, String target) {
        if (Links.isElsewhere(target)) {
            return target;
        }
        String path = Links.resolve(page, Links.file(target));
        String anchor = Links.anchor(target);
        String to = Files.isDirectory(root.resolve(path)) ? path + "/README.md" : path;
        String link = Links.relative(page, Links.published(to));
        return (to.equals(page) ? "" : link) + (anchor.isEmpty() ? "" : "#" + anchor);
    }

    private void checkLinks() {
        pages.forEach((path, page) -> {
            for (String target : page.targets()) {
                String problem = Links.isElsewhere(target) ? "" : problem(path, target);
                if (!problem.isEmpty()) {
                    problems.add(path + ": the link to " + target + " is broken: " + problem);
                }
            }
        });
        navigation.groups().forEach(group -> group.entries().stream()
                .filter(entry -> Links.isPage(entry.path()) && !pages.containsKey(entry.path()))
                .forEach(entry -> problems.add(CONTENTS + ": there is no page " + entry.path())));
    }

    /** What is wrong with a link; a file that is right is kept for copying. */
    private String problem(String page, String target) {
        String path = Links.resolve(page, Links.file(target));
        Path file = root.resolve(path);
        if (path.startsWith("..")) {
            return "it leads out of the repository";
        }
        if (Files.isDirectory(file)) {
            return pages.containsKey(path + "/README.md") ? "" : "the folder has no README.md";
        }
        if (!Files.exists(file)) {
            return "there is no " + path;
        }
        Rendered to = pages.get(path);
        if (to == null) {
            files.add(path);
            return Links.isPage(path) ? path + " is no page of the site" : "";
        }
        String anchor = Links.anchor(target);
        return anchor.isEmpty() || to.hasAnchor(anchor) ? "" : path + " has no heading for #" + anchor;
    }

    private void checkReached() {
        Set<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(FIRST));
        while (!open.isEmpty()) {
            String path = open.remove();
            Rendered page = pages.get(path);
            if (page != null && reached.add(path)) {
                for (String target : page.targets()) {
                    if (!Links.isElsewhere(target)) {
                        String to = Links.resolve(path, Links.file(target));
                        open.add(Files.isDirectory(root.resolve(to)) ? to + "/README.md" : to);
                    }
                }
            }
        }
        for (String path : pages.keySet()) {
            if (!reached.contains(path)) {
                problems.add(path + ": no link leads to it from " + FIRST);
            }
        }
    }

    /** Writes the site into a folder. */
    void write(Path folder) throws IOException {
        for (Map.Entry<String, Rendered> page : pages.entrySet()) {
            put(folder, Links.published(page.getKey()), html(page.getKey(), page.getValue()));
        }
        for (String file : files) {
            Path to = folder.resolve(file);
            Files.createDirectories(to.getParent());
            Files.write(to, Files.readAllBytes(root.resolve(file)));
        }
        put(folder, "site/site.css", resource("site.css"));
        put(folder, "site/site.js", resource("site.js"));
        put(folder, "site/pages.js", SearchIndex.script(pages));
    }

    private static void put(Path folder, String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String html(String path, Rendered page) {
        String top = Links.relative(path, "index.html").replace("index.html", "");
        return TEMPLATE.replace("{{title}}", Inline.escape(page.title()))
                .replace("{{top}}", top)
                .replace("{{contents}}", navigation.html(path))
                .replace("{{outline}}", outline(page))
                .replace("{{body}}", page.html());
    }

    private static String outline(Rendered page) {
        return page.headings().stream()
                .filter(heading -> heading.level() == 2)
                .map(heading -> String.format(
                        Locale.ROOT, "<li><a href=\"#%s\">%s</a></li>", heading.id(), Inline.escape(heading.text())))
                .collect(Collectors.joining("\n"));
    }

    private static String resource(String name) {
        try (InputStream in = Site.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing beside " + Site.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
