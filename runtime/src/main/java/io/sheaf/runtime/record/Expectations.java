package io.sheaf.runtime.record;

import io.sheaf.manager.Decision;
import io.sheaf.report.Job;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was last expected of a run: when its pilot jobs start, and when it ends. */
public final class Expectations {
    private final Map<Long, Long> starts = new HashMap<>();
    private long end = Job.NEVER;

    /** A decision may change what is expected. */
    public void decided(Decision decision, @Nullable Considerations considered) {
        if (considered == null) {
            return;
        }
        // Later orders about a pilot job say nothing of its start.
        considered.carried().forEach(each -> starts.putIfAbsent(each.token(), each.expectedStart()));
        long expected = considered.decided(decision).expectedEnd();
        if (expected != Job.NEVER) {
            end = expected;
        }
    }

    /** When a pilot job was expected to start; {@link Job#NEVER} if nobody knew. */
    public long start(long token) {
        return starts.getOrDefault(token, Job.NEVER);
    }

    /** When the workflow is expected to end; {@link Job#NEVER} if nobody has said. */
    public long end() {
        return end;
    }
}
