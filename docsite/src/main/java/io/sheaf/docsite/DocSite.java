package io.sheaf.docsite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The documentation of a repository as a site: {@code README.md}, its neighbours that pages link to, and all of {@code docs}, in the same folders.
 *
 * <p>Links are checked: their files and anchors must exist, and every page must be reachable from the first one. Linked files and images are copied.
 * The site needs no server and no network, and the same sources give the same bytes.
 */
final class DocSite {
    private static final String FIRST = "README.md";
    private static final String CONTENTS = "docs/README.md";
    private static final List<String> BESIDE = List.of(FIRST, "CHANGELOG.md", "CONTRIBUTING.md");
    /** Characters of a script's texts that are written as codes. */
    private static final Pattern CODED = Pattern.compile("[\\x00-\\x1f<\\x{2028}\\x{2029}]");

    private static final String TEMPLATE = resource("page.html");

    private final Path root;
    private final Map<String, DocPage> pages = new TreeMap<>();
    private final Set<String> files = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();
    private Navigation navigation = new Navigation(List.of());

    private DocSite(Path root) {
        this.root = root;
    }

    /** Reads the documentation of the repository at a folder and checks it. */
    static DocSite read(Path root) throws IOException {
        DocSite site = new DocSite(root);
        Map<String, String> sources = site.sources();
        sources.forEach(site::render);
        site.navigation = Navigation.of(sources.getOrDefault(CONTENTS, ""), CONTENTS);
        site.checkLinks();
        site.checkReached();
        return site;
    }

    /** The problems, a line each; a site with problems must not be published. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    Map<String, DocPage> pages() {
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
        } catch (Markdown.MarkdownException e) {
            problems.add(path + ": " + e.getMessage());
        }
    }

    /** The address of a link of a page; a folder stands for its README.md. */
    private String address(String page, String target) {
        if (PageLinks.isElsewhere(target)) {
            return target;
        }
        String path = PageLinks.resolve(page, PageLinks.file(target));
        String anchor = PageLinks.anchor(target);
        String to = Files.isDirectory(root.resolve(path)) ? path + "/README.md" : path;
        String link = PageLinks.relative(page, PageLinks.published(to));
        return (to.equals(page) ? "" : link) + (anchor.isEmpty() ? "" : "#" + anchor);
    }

    private void checkLinks() {
        pages.forEach((path, page) -> {
            for (String target : page.targets()) {
                String problem = PageLinks.isElsewhere(target) ? "" : problem(path, target);
                if (!problem.isEmpty()) {
                    problems.add(path + ": the link to " + target + " is broken: " + problem);
                }
            }
        });
        navigation.groups().forEach(group -> group.entries().stream()
                .filter(entry -> PageLinks.isPage(entry.path()) && !pages.containsKey(entry.path()))
                .forEach(entry -> problems.add(CONTENTS + ": there is no page " + entry.path())));
    }

    /** The problem of a link, or an empty text; a file that exists is noted for copying. */
    private String problem(String page, String target) {
        String path = PageLinks.resolve(page, PageLinks.file(target));
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
        DocPage to = pages.get(path);
        if (to == null) {
            files.add(path);
            return PageLinks.isPage(path) ? path + " is no page of the site" : "";
        }
        String anchor = PageLinks.anchor(target);
        return anchor.isEmpty() || to.hasAnchor(anchor) ? "" : path + " has no heading for #" + anchor;
    }

    private void checkReached() {
        Set<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(FIRST));
        while (!open.isEmpty()) {
            String path = open.remove();
            DocPage page = pages.get(path);
            if (page != null && reached.add(path)) {
                for (String target : page.targets()) {
                    if (!PageLinks.isElsewhere(target)) {
                        String to = PageLinks.resolve(path, PageLinks.file(target));
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

    void write(Path folder) throws IOException {
        for (Map.Entry<String, DocPage> page : pages.entrySet()) {
            put(folder, PageLinks.published(page.getKey()), html(page.getKey(), page.getValue()));
        }
        for (String file : files) {
            Path to = folder.resolve(file);
            Files.createDirectories(to.getParent());
            Files.write(to, Files.readAllBytes(root.resolve(file)));
        }
        put(folder, "site/site.css", resource("site.css"));
        put(folder, "site/site.js", resource("site.js"));
        put(folder, "site/pages.js", searchIndex());
    }

    private static void put(Path folder, String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String html(String path, DocPage page) {
        String top = PageLinks.relative(path, "index.html").replace("index.html", "");
        return TEMPLATE.replace("{{title}}", DocPage.escape(page.title()))
                .replace("{{top}}", top)
                .replace("{{contents}}", navigation.html(path))
                .replace("{{outline}}", outline(page))
                .replace("{{body}}", page.html());
    }

    private static String outline(DocPage page) {
        return page.headings().stream()
                .filter(heading -> heading.level() == 2)
                .map(heading -> String.format(
                        Locale.ROOT, "<li><a href=\"#%s\">%s</a></li>", heading.id(), DocPage.escape(heading.text())))
                .collect(Collectors.joining("\n"));
    }

    private static String resource(String name) {
        try (InputStream in = DocSite.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing beside " + DocSite.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The search index: a script with the sections of all pages, documentation first. It is a script because pages that are opened from a disk must not
     * read data files.
     */
    private String searchIndex() {
        StringBuilder out = new StringBuilder("window.sheafPages = [\n");
        List<Map.Entry<String, DocPage>> order = pages.entrySet().stream()
                .sorted(Comparator.comparing(page -> !page.getKey().startsWith("docs/")))
                .toList();
        for (Map.Entry<String, DocPage> each : order) {
            String path = each.getKey();
            DocPage page = each.getValue();
            out.append("[" + quoted(PageLinks.published(path)) + "," + quoted(page.title()));
            for (DocPage.PageSection section : page.sections()) {
                out.append(",\n [" + quoted(section.heading().id()) + ","
                        + quoted(section.heading().text()) + ","
                        + quoted(section.text().replaceAll("\\s+", " ")) + "]");
            }
            out.append("],\n");
        }
        return out.append("];\n").toString();
    }

    private static String quoted(String text) {
        String escaped = text.replaceAll("[\"\\\\]", "\\\\$0");
        return "\""
                + CODED.matcher(escaped)
                        .replaceAll(match ->
                                String.format("\\\\u%04x", (int) match.group().charAt(0))) + "\"";
    }

    /** Builds the site; the arguments are the repository and the output folder. Exits with 0 if the site was written, with 1 if the documentation has problems. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("docsite: name the repository and the folder to write to");
            System.exit(2);
        }
        DocSite site = DocSite.read(Path.of(args[0]));
        List<String> problems = site.problems();
        problems.forEach(problem -> System.err.println("docsite: " + problem));
        if (!problems.isEmpty()) {
            System.exit(1);
        }
        Path folder = Path.of(args[1]);
        empty(folder);
        site.write(folder);
        System.out.println("docsite: " + site.pages().size() + " pages; open " + folder.resolve("index.html"));
    }

    /** Removes an earlier site; refuses a folder with other files. */
    private static void empty(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        if (!Files.exists(folder.resolve("site/pages.js"))) {
            try (Stream<Path> inside = Files.list(folder)) {
                if (inside.findAny().isPresent()) {
                    System.err.println("docsite: " + folder + " contains other files; name another folder");
                    System.exit(3);
                }
            }
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
