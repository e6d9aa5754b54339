package io.sheaf.runtime.learnt;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** The folders of a user's last runs, in a shared {@linkplain LearntFolder folder}. */
public final class SharedRuns {
    private static final String SUFFIX = ".runs";

    private final SharedLines lines;

    /**
     * Opens the list of runs in the state folder.
     *
     * @param trouble receives one message if the folder cannot be used
     */
    public SharedRuns(Path state, Consumer<String> trouble) {
        // A single kind: keeps the latest runs overall.
        lines = new SharedLines(
                state.resolve("runs"), SUFFIX, line -> SUFFIX, System::currentTimeMillis, "where runs lie", trouble);
    }

    /** Records the start of a run. */
    public void add(Path folder) {
        lines.add("=" + URLEncoder.encode(folder.toAbsolutePath().normalize().toString(), StandardCharsets.UTF_8));
    }

    /** All recorded runs, in the order of their starts; some folders may no longer exist. */
    public List<Path> all() {
        return lines.newLines().stream()
                .map(each -> Path.of(URLDecoder.decode(each.substring(1), StandardCharsets.UTF_8)))
                .distinct()
                .toList();
    }
}
