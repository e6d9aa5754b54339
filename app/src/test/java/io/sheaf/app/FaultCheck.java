package io.sheaf.app;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.runtime.record.AttemptResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares the ledger and outputs of the tasks of a {@link FaultyRun}, and its journal, with the guarantees. */
final class FaultCheck {
    private final RealRun run;
    private final int width;
    private final boolean lossy;
    private final List<String> violations = new ArrayList<>();

    /**
     * Creates a check of a run that has ended.
     *
     * @param width number of parallel tasks
     * @param lossy whether bytes of the journal were lost: an attempt whose start was lost may run beside its successor,
     *     and both may succeed
     */
    FaultCheck(RealRun run, int width, boolean lossy) {
        this.run = run;
        this.width = width;
        this.lossy = lossy;
    }

    /** The violated guarantees. */
    List<String> violations() throws IOException {
        checkLedger();
        checkOutputs();
        checkJournal();
        return violations;
    }

    private void checkLedger() throws IOException {
        Map<String, Integer> latest = new HashMap<>();
        Set<String> ended = new HashSet<>();
        Set<String> lines = new HashSet<>();
        for (String line : run.lines("ledger")) {
            String[] words = line.split(" ");
            String task = words[1];
            int attempt = Integer.parseInt(words[2]);
            int before = latest.getOrDefault(task, 0);
            if (words[0].equals("end")) {
                ended.add(task);
                if (!lines.add(line)) {
                    violations.add("ended twice: " + line);
                }
                if (attempt != before && !lossy) {
                    violations.add("an earlier attempt ends after a later one began: " + line);
                }
                continue;
            }
            if (!lines.add(line)) {
                violations.add("begun twice: " + line);
            } else if (attempt <= before && !lossy) {
                violations.add("begun out of order: " + line);
            }
            latest.merge(task, attempt, Math::max);
            checkPredecessors(task, ended);
        }
        if (ended.size() != 2 * width + 1) {
            violations.add("only these tasks ended: " + ended);
        }
    }

    private void checkPredecessors(String task, Set<String> ended) {
        for (int i = 1; i <= width; i++) {
            String needed = task.equals("last") ? "second-" + i : task.equals("second-" + i) ? "first-" + i : task;
            if (!needed.equals(task) && !ended.contains(needed)) {
                violations.add(task + " begins before " + needed + " has ended");
            }
        }
    }

    private void checkOutputs() throws IOException {
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= width; i++) {
            expected.add("first " + i);
            expected.add("second " + i);
        }
        if (!run.lines("c.txt").equals(expected)) {
            violations.add("the last output has " + run.lines("c.txt"));
        }
    }

    private void checkJournal() throws IOException {
        Set<Integer> tasks = new HashSet<>();
        Set<AttemptId> attempts = new HashSet<>();
        for (AttemptResult result : run.results(AttemptOutcome.SUCCEEDED)) {
            AttemptId attempt = result.message().attempt();
            boolean isFirst = tasks.add(attempt.task());
            if (!attempts.add(attempt) || (!isFirst && !lossy)) {
                violations.add("succeeded twice: " + result);
            }
        }
        if (tasks.size() != 2 * width + 1) {
            violations.add("the journal has only the successes of " + tasks);
        }
    }
}
