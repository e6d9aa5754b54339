package io.sheaf.oar;

import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.JobFolder;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.ShellWord;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is submitted for a pilot job: the words of {@code oarsub}, and the script that its last word names.
 *
 * <p>OAR runs that on the first node and leaves the others to it; {@code oarsh} gets there. What it kills on the first node it kills without a warning, and elsewhere only where
 * the site has cpusets. So agents on several nodes go by their standard input, which ends with the job. A job has none of the environment of its submission: the path to programs is
 * put into the script.
 */
final class OarScript {
    /** Agents end their tasks so long before the time limit, which is longer in turn: tasks have all of the time that was asked for. */
    private static final long MARGIN_SECONDS = 15;

    private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final PilotJobScript common;
    private final String path;

    /**
     * The scripts of a run.
     *
     * @param path where programs are looked for
     */
    OarScript(PilotJobScript run, String path) {
        common = run;
        this.path = path;
    }

    /** The time limit for so much time for tasks, both in milliseconds. */
    static long limit(long walltime) {
        return ((walltime + 999) / 1000 + MARGIN_SECONDS) * 1000;
    }

    /**
     * The words of the submission.
     *
     * @param notBefore it shall not start earlier than this instant; null if it may
     * @param afterJob the job that must end first; −1 if there is none
     */
    List<String> submission(long token, Request request, @Nullable Instant notBefore, long afterJob) {
        long seconds = limit(request.walltime()) / 1000;
        List<String> words = new ArrayList<>(List.of(
                "oarsub",
                "--name=" + common.name(token),
                "--resource=/nodes=%d/resource_id=%d,walltime=%d:%02d:%02d"
                        .formatted(request.units(), common.cores(), seconds / 3600, seconds / 60 % 60, seconds % 60),
                "--directory=/",
                "--stdout=/dev/null",
                "--stderr=/dev/null"));
        if (notBefore != null) {
            words.add("--type=postpone=" + INSTANT.format(notBefore.atZone(ZoneId.systemDefault())));
        }
        if (afterJob >= 0) {
            words.add("--anterior=" + afterJob);
        }
        words.addAll(common.options());
        words.add("/bin/bash " + quoted(JobFolder.of(common.all(), token).script()));
        return words;
    }

    /** The script; the words of its submission stand in it for people. */
    String text(long token, Request request) {
        String folder = quoted(JobFolder.of(common.all(), token).folder());
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
                                ShellWord.quoted(path),
                                "export PATH=" + ShellWord.quoted(path) + "\n"
                                        + common.agent(token, "$2", limit(request.walltime())),
                                folder)
                + (request.units() == 1 ? alone() : everywhere(folder))
                + PilotJobScript.END;
    }

    private static String alone() {
        return """
                SHEAF_NODE_NAME=$(head -n 1 "$OAR_NODE_FILE") /bin/bash agent "$began" 0 < /dev/null
                """;
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
                """.formatted(ShellWord.quoted(folder + "/node"));
    }

    private static String quoted(Path file) {
        return ShellWord.quoted(file.toString());
    }
}
