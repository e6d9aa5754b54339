package io.sheaf.app;

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
     * @param lossy whether bytes of the journal were lost: an attempt whose start was lost may run beside its successor
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
        if (!lossy) {
            checkJournal();
        }
        return violations;
    }

    private void checkLedger() throws IOException {
        Map<String, Integer> latest = new HashMap<>();
        Set<String> ended = new HashSet<>();
        Set<String> begun = new HashSet<>();
        for (String line : run.lines("ledger")) {
            String[] words = line.split(" ");
            String task = words[1];
            int attempt = Integer.parseInt(words[2]);
            int before = latest.getOrDefault(task, 0);
            if (words[0].equals("end")) {
                ended.add(task);
                if (attempt != before && !lossy) {
                    violations.add("an earlier attempt ends after a later one began: " + line);
                }
                continue;
            }
            if (!begun.add(line)) {
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
        Set<Integer> committed = new HashSet<>();
        for (AttemptResult result : run.results(AttemptOutcome.SUCCEEDED)) {
            if (!committed.add(result.message().attempt().task())) {
                violations.add("succeeded twice: " + result);
            }
        }
        if (committed.size() != 2 * width + 1) {
            violations.add("the journal has only the successes of " + committed);
        }
    }
}
