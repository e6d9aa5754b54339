package io.sheaf.oar;

import io.sheaf.formats.ShellWords;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.PilotJobScript;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The submission of a pilot job: the arguments of {@code oarsub}, and the script that its last argument names.
 *
 * <p>OAR runs the script on the first node; the script reaches the others with {@code oarsh}. OAR kills processes on
 * the first node without a warning, and on others only with cpusets. Agents on several nodes therefore end when their
 * standard input closes. A job does not inherit the submission's environment, so the script sets {@code PATH}.
 *
 * @param path the {@code PATH} of the job
 * @param hasMemory whether resources have the property of their node's memory
 */
record OarScript(PilotJobScript common, String path, boolean hasMemory) {
    /**
     * How long before the time limit agents end their tasks. The limit is extended by it, so tasks get the full
     * requested time.
     */
    private static final long MARGIN_SECONDS = 15;

    /** Starts the agent of a job of one node. */
    private static final String ALONE =
            "SHEAF_NODE_NAME=$(head -n 1 \"$OAR_NODE_FILE\") /bin/bash agent \"$began\" 0 < /dev/null\n";

    private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    /** The time limit for this much task time, both in milliseconds. */
    static long limit(long walltime) {
        return ((walltime + 999) / 1000 + MARGIN_SECONDS) * 1000;
    }

    /**
     * The arguments of the submission.
     *
     * @param notBefore the earliest start; null for none
     * @param afterJob the job that must end first; −1 if there is none
     */
    List<String> submission(long token, Request request, @Nullable Instant notBefore, long afterJob) {
        long seconds = limit(request.walltime()) / 1000;
        List<String> words = new ArrayList<>(List.of(
                "oarsub",
                "--name=" + common.shownName(token),
                "--resource=/nodes=%d/resource_id=%d,walltime=%d:%02d:%02d"
                        .formatted(request.units(), common.cores(), seconds / 3600, seconds / 60 % 60, seconds % 60),
                "--directory=/",
                "--stdout=/dev/null",
                "--stderr=/dev/null"));
        if (notBefore != null) {
            words.add("--type=postpone=" + text(notBefore));
        }
        if (afterJob >= 0) {
            words.add("--anterior=" + afterJob);
        }
        words.addAll(common.options());
        String property = property(request);
        if (!property.isEmpty()) {
            words.add("--property=" + property);
        }
        words.add("/bin/bash " + quoted(common.folder(token).script()));
        return words;
    }

    /** The user's property, enough memory and not the avoided nodes; empty if nothing is added to the user's. The last of several such options counts. */
    private String property(Request request) {
        List<String> all = new ArrayList<>();
        if (request.node().memory() > 0 && hasMemory) {
            all.add(OarAnswers.MEMORY + " >= "
                    + PilotJobScript.mebibytes(request.node().memory()));
        }
        if (!request.without().isEmpty()) {
            all.add("network_address NOT IN ('" + String.join("','", request.without()) + "')");
        }
        String own = "";
        List<String> options = common.options();
        for (int i = 0; i < options.size(); i++) {
            String option = options.get(i);
            own = option.startsWith("--property=") ? option.substring("--property=".length()) : own;
            boolean isNamed = option.equals("-p") || option.equals("--property");
            own = isNamed && i + 1 < options.size() ? options.get(i + 1) : own;
        }
        if (!all.isEmpty() && !own.isEmpty()) {
            all.add(0, "(" + own + ")");
        }
        return String.join(" AND ", all);
    }

    /** An instant as OAR's commands take it. */
    static String text(Instant instant) {
        return INSTANT.format(instant.atZone(ZoneId.systemDefault()));
    }

    /** The script, with the submission's arguments as a comment. */
    String text(long token, Request request) {
        String folder = quoted(common.folder(token).folder());
        return common.begin(token, submission(token, request, null, -1), "$OAR_JOB_ID", "0")
                + """
                exec >> output 2>&1
                export PATH=%s
                cat > agent <<'AGENT'
                %sAGENT
                cat > node <<'NODE'
                # Standard input ends with the job; nothing else says so on every node.
                cd %s || exit 1
                set -m
                /bin/bash agent "$1" "$2" < /dev/null &
                agent=$!
                { cat > /dev/null; kill -TERM -- -$agent; } &
                wait $agent
                kill -KILL -- -$!
                NODE
                """.formatted(
                                ShellWords.quote(path),
                                "export PATH=" + ShellWords.quote(path) + "\n"
                                        + common.agent(token, "$2", limit(request.walltime())),
                                folder)
                + (request.units() == 1 ? ALONE : everywhere(folder))
                + PilotJobScript.END;
    }

    private static String everywhere(String folder) {
        return """
                coproc life { cat; }
                exec 3<&"${life[0]}"
                agents=()
                for name in $(sort -u "$OAR_NODE_FILE"); do
                  oarsh "$name" env OAR_JOB_ID="$OAR_JOB_ID" SHEAF_NODE_NAME="$name" /bin/bash %s "$began" ${#agents[@]} <&3 &
                  agents+=($!)
                done
                wait "${agents[@]}"
                """.formatted(ShellWords.quote(folder + "/node"));
    }

    private static String quoted(Path file) {
        return ShellWords.quote(file.toString());
    }
}
