package io.sheaf.runtime.learnt;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Where a user's last runs lie, in a {@linkplain LearntFolder folder} that all of them share. */
public final class SharedRuns {
    private static final String SUFFIX = ".runs";

    private final SharedLines lines;

    /**
     * The runs on record in the state folder.
     *
     * @param trouble is told once if it cannot be used
     */
    public SharedRuns(Path state, Consumer<String> trouble) {
        // All of one kind: the latest of all are kept.
        lines = new SharedLines(
                state.resolve("runs"), SUFFIX, seen -> SUFFIX, System::currentTimeMillis, "where runs lie", trouble);
    }

    /** A run was begun. */
    public void add(Path folder) {
        lines.add("=" + URLEncoder.encode(folder.toAbsolutePath().normalize().toString(), StandardCharsets.UTF_8));
    }

    /** All that are known, in the order in which they were begun; some may be gone. */
    public List<Path> all() {
        List<String> news = lines.news();
        Set<Path> found = new LinkedHashSet<>();
        for (String each : news == null ? List.<String>of() : news) {
            found.add(Path.of(URLDecoder.decode(each.substring(1), StandardCharsets.UTF_8)));
        }
        return List.copyOf(found);
    }
}
