package io.sheaf.gridengine;

import io.sheaf.runtime.batch.BatchSite;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.Terms;
import java.util.List;
import java.util.Map;

/** Grid Engine, with everything that there is for it. */
public final class GridEngineSystem implements BatchSystem {
    private static final Map<String, String> WORDS =
            Map.of("account", "-P", "partition", "-q", "constraint", "-l", "reservation", "-ar");

    @Override
    public String name() {
        return GridEngineSite.NAME;
    }

    @Override
    public String title() {
        return GridEngineControl.TITLE;
    }

    @Override
    public List<String> words(Terms terms) {
        List<String> words = terms.words(title(), WORDS);
        // What cannot be is refused before anything is made.
        QsubOptions.of(words);
        return words;
    }

    @Override
    public BatchSite site(Map<String, String> environment, int interval) {
        return new GridEngineSite(environment, interval);
    }
}
