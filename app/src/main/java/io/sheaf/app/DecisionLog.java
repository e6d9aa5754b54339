package io.sheaf.app;

import io.sheaf.manager.Considered;
import java.util.ArrayList;
import java.util.List;

/** Keeps what a strategy considered and chose, decision by decision; decisions in which it looked at nothing are left out. */
final class DecisionLog implements Considered {
    private record Option(String what, int nodes, long walltime, long queueWait, long makespan) {}

    private static final class Entry {
        final long at;
        final List<Option> options = new ArrayList<>();
        String chosen = "";

        Entry(long at) {
            this.at = at;
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    private Entry now = new Entry(0);

    @Override
    public boolean isWanted() {
        return true;
    }

    @Override
    public void asked(long at) {
        now = new Entry(at);
    }

    @Override
    public void option(String what, int nodes, long walltime, long wait, long makespan) {
        now.options.add(new Option(what, nodes, walltime, wait, makespan));
    }

    @Override
    public void chosen(String why) {
        now.chosen = why;
        entries.add(now);
    }

    /** Writes {@code decisions[]}, with times after the start of the run. */
    void print(JsonOut out, long start) {
        out.array("decisions");
        for (Entry entry : entries) {
            out.object()
                    .seconds("atSeconds", (entry.at - start) * 1000)
                    .field("chosen", entry.chosen)
                    .array("options");
            for (Option option : entry.options) {
                out.object()
                        .field("what", option.what)
                        .field("nodes", option.nodes)
                        .seconds("walltimeSeconds", option.walltime * 1000)
                        .seconds("waitSeconds", option.queueWait * 1000);
                if (option.makespan >= 0) {
                    out.seconds("makespanSeconds", option.makespan * 1000);
                }
                out.end();
            }
            out.end().end();
        }
        out.end();
    }
}
