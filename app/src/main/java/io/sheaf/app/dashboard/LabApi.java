package io.sheaf.app.dashboard;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.web.HttpRequest;
import io.sheaf.app.web.Reply;
import io.sheaf.app.web.Routes;
import io.sheaf.app.web.WebException;
import io.sheaf.lab.experiment.Csv;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The API of experiments' result tables: CSV files up to three levels below a folder, identified by relative path. */
record LabApi(Path folder) {
    private static final int DEPTH = 3;
    private static final int MAX_TABLES = 500;
    /** Limit of files to search. */
    private static final int MAX_VISITED = 20_000;

    private static final int MAX_ROWS = 50_000;

    Routes routes() {
        return new Routes().on("GET", "/api/lab", this::list).on("GET", "/api/lab/{table}", this::table);
    }

    private List<Path> tables() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(folder, EnumSet.noneOf(FileVisitOption.class), DEPTH, new SimpleFileVisitor<>() {
            private int visited;

            @Override
            public FileVisitResult preVisitDirectory(Path place, BasicFileAttributes attributes) {
                boolean hidden = !place.equals(folder)
                        && String.valueOf(place.getFileName()).startsWith(".");
                return hidden ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && file.toString().endsWith(".csv")) {
                    found.add(file);
                }
                return ++visited < MAX_VISITED && found.size() < MAX_TABLES
                        ? FileVisitResult.CONTINUE
                        : FileVisitResult.TERMINATE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
        Collections.sort(found);
        return found;
    }

    private String name(Path file) {
        return folder.relativize(file).toString();
    }

    private Reply list(HttpRequest request) throws IOException {
        List<Path> tables = tables();
        return Reply.json(JsonOut.line(out -> out.field("folder", folder.toString())
                .objects("tables", tables, file -> out.field("name", name(file))
                        .field("bytes", file.toFile().length()))));
    }

    private Reply table(HttpRequest request) throws IOException {
        String name = request.path("table");
        Path file = tables().stream()
                .filter(each -> name(each).equals(name))
                .findFirst()
                .orElseThrow(() -> WebException.notFound("no such table: '" + name + "'"));
        List<List<String>> rows = new ArrayList<>();
        Map<String, String> interned = new HashMap<>();
        boolean more = false;
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (String line = in.readLine(); line != null && !more; line = in.readLine()) {
                more = rows.size() > MAX_ROWS;
                if (!more) {
                    rows.add(Csv.fields(line, interned));
                }
            }
        }
        boolean cut = more;
        return Reply.json(JsonOut.line(out -> {
            out.field("name", name).field("cut", cut).array("columns");
            if (!rows.isEmpty()) {
                rows.get(0).forEach(out::value);
            }
            out.end().array("rows");
            rows.stream().skip(1).forEach(row -> {
                out.array();
                row.forEach(out::value);
                out.end();
            });
            out.end();
        }));
    }
}
