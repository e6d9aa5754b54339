package io.sheaf.formats.slurm;

import io.sheaf.formats.swf.SwfLog;
import io.sheaf.text.InputException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Slurm's job states as SWF's: completed, failed, cancelled, or not over yet. */
final class SacctStates {
    /** The job has not ended, so its run time is not known. */
    static final int UNFINISHED = -2;

    private static final Map<String, Integer> STATUS = new TreeMap<>();

    static {
        STATUS.put("COMPLETED", SwfLog.COMPLETED);
        STATUS.put("CANCELLED", SwfLog.CANCELLED);
        for (String state : List.of(
                "BOOT_FAIL",
                "DEADLINE",
                "FAILED",
                "LAUNCH_FAILED",
                "NODE_FAIL",
                "OUT_OF_MEMORY",
                "PREEMPTED",
                "RECONFIG_FAIL",
                "REQUEUED",
                "REVOKED",
                "SPECIAL_EXIT",
                "TIMEOUT")) {
            STATUS.put(state, SwfLog.FAILED);
        }
        for (String state : List.of(
                "COMPLETING",
                "CONFIGURING",
                "PENDING",
                "POWER_UP_NODE",
                "REQUEUE_FED",
                "REQUEUE_HOLD",
                "RESIZING",
                "RESV_DEL_HOLD",
                "RUNNING",
                "SIGNALING",
                "STAGE_OUT",
                "STOPPED",
                "SUSPENDED")) {
            STATUS.put(state, UNFINISHED);
        }
    }

    private SacctStates() {}

    /** The SWF status of a state, which may carry more words ("CANCELLED by 1001") or a plus sign where it was cut off. */
    static int status(String state) {
        String word = state.strip().split(" ", 2)[0].toUpperCase(Locale.ROOT);
        boolean cut = word.endsWith("+") && word.length() > 3;
        String stem = cut ? word.substring(0, word.length() - 1) : word;
        for (Map.Entry<String, Integer> known : STATUS.entrySet()) {
            if (cut ? known.getKey().startsWith(stem) : known.getKey().equals(stem)) {
                return known.getValue();
            }
        }
        throw new InputException("state '" + state + "' is not one of Slurm's");
    }
}
