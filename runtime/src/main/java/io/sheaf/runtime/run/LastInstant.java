package io.sheaf.runtime.run;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Memo;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.record.RunJournal;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The last instant in a run's journals; the run's clock must not be set below it. */
public final class LastInstant implements RunJournal.Listener {
    private long last;

    private LastInstant() {}

    public static long of(RunJournal journal, Journal clusterLog) throws IOException {
        LastInstant found = new LastInstant();
        journal.replay(memo -> Memo.NONE, found);
        // Every record of a cluster's log begins with its instant.
        clusterLog.replay(entry -> found.add(ByteBuffer.wrap(entry.payload()).getLong()));
        return found.last;
    }

    private void add(long at) {
        last = Math.max(last, at);
    }

    @Override
    public void begun(String run, long at) {
        add(at);
    }

    @Override
    public void event(Event event) {
        add(event.at());
    }

    @Override
    public void settled(long at, @Nullable Decision decision) {
        add(at);
    }
}
