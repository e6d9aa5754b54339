package io.sheaf.runtime.record;

import io.sheaf.manager.Decision;
import io.sheaf.report.JobRecord;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The latest estimates for a run: pilot job starts and the workflow's end. */
public final class Expectations {
    private final Map<Long, Long> starts = new HashMap<>();
    private long end = JobRecord.NEVER;

    /** Updates the estimates after a decision. */
    public void decided(Decision decision, @Nullable Considerations considered) {
        if (considered == null) {
            return;
        }
        // Later orders for a pilot job carry no start estimate.
        considered.carried().forEach(each -> starts.putIfAbsent(each.token(), each.expectedStart()));
        long expected = considered.decided(decision).expectedEnd();
        if (expected != JobRecord.NEVER) {
            end = expected;
        }
    }

    /** The start-time estimate of a pilot job; {@link JobRecord#NEVER} if there is none. */
    public long start(long token) {
        return starts.getOrDefault(token, JobRecord.NEVER);
    }

    /** The estimated end of the workflow; {@link JobRecord#NEVER} if there is none. */
    public long end() {
        return end;
    }
}
