package io.sheaf.oar;

import io.sheaf.runtime.batch.BatchSite;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.Terms;
import java.util.List;
import java.util.Map;

/** OAR, with everything that there is for it. */
public final class OarSystem implements BatchSystem {
    private static final Map<String, String> WORDS = Map.of(
            "account", "--project=",
            "partition", "--queue=",
            "constraint", "--property=");

    @Override
    public String name() {
        return OarSite.NAME;
    }

    @Override
    public String title() {
        return OarControl.TITLE;
    }

    @Override
    public List<String> words(Terms terms) {
        return terms.words(title(), WORDS);
    }

    @Override
    public BatchSite site(Map<String, String> environment, int interval) {
        return new OarSite(environment, interval);
    }
}
