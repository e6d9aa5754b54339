package io.sheaf.oar;

import io.sheaf.runtime.batch.BatchCommands.Submitted;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the output of OAR's commands; pure functions. */
final class OarAnswers {
    private static final Pattern NUMBER = Pattern.compile("(?m)^OAR_JOB_ID=(\\d+)\\s*$");

    /** Rejections for the number of jobs. Sites word them in their admission rules. */
    private static final Pattern TOO_MANY = Pattern.compile(
            "too many|(more than|limit of|limited to|at most|max(imum)?( of| number of)?:?) ?\\d* ?\\w* ?(jobs?|submissions?)\\b"
                    + "|(jobs?|submissions?) (limit|quota)",
            Pattern.CASE_INSENSITIVE);

    /** The property of a resource with its node's memory in MiB, as Grid'5000 names it. */
    static final String MEMORY = "memnode";

    private OarAnswers() {}

    /** Parses the user's jobs from {@code oarstat -f -J}, with OAR's planned starts. */
    static List<QueueLine> queue(String text) {
        List<QueueLine> lines = new ArrayList<>();
        OarJson.parse("oarstat", text).objects().forEach((number, job) -> {
            long start = Math.max(job.number("startTime"), job.number("scheduledStart"));
            lines.add(new QueueLine(
                    Long.parseLong(number),
                    state(job),
                    start == 0 ? -1 : start * 1000,
                    job.text("state").equals("Hold") ? QueueLine.Outlook.HELD : QueueLine.Outlook.STARTS,
                    job.text("message")));
        });
        return lines;
    }

    /** Parses the state of a job from {@code oarstat -J}; with {@code -f} it includes the job's events. */
    static JobState state(OarJson job) {
        return switch (job.text("state")) {
            case "Waiting", "Hold", "toAckReservation" -> JobState.PENDING;
            case "toLaunch", "Launching" -> JobState.STARTING;
            case "Finishing", "toError" -> JobState.ENDING;
            case "Terminated" -> ended(job, JobState.ENDED);
            // A job that never began left no process; otherwise the state of its nodes is unknown.
            case "Error" -> ended(job, job.number("startTime") == 0 ? JobState.ENDED : JobState.LOST);
            default -> JobState.RUNNING;
        };
    }

    private static JobState ended(OarJson job, JobState otherwise) {
        Set<String> happened = new HashSet<>();
        job.list("events").forEach(event -> happened.add(event.text("type")));
        if (happened.contains("WALLTIME")) {
            return JobState.EXPIRED;
        }
        return happened.contains("FRAG_JOB_REQUEST") ? JobState.CANCELLED : otherwise;
    }

    /** Parses the output of {@code oarsub}. */
    static Submitted submitted(CommandRunner.Answer answer) {
        if (!answer.isGood()) {
            return Submitted.refused(answer.why(), isForLimits(answer.why()));
        }
        Matcher matcher = NUMBER.matcher(answer.out());
        return Submitted.as(matcher.find() ? Long.parseLong(matcher.group(1)) : OarCommands.UNKNOWN);
    }

    /** Whether a job limit caused the rejection, so that a later submission may succeed. */
    static boolean isForLimits(String refusal) {
        return refusal.contains("[ADMISSION RULE]") && TOO_MANY.matcher(refusal).find();
    }

    /**
     * The nodes in service or in standby, from {@code oarnodes -J}. Resources with one address count as the cores of a
     * node. Its memory is the property {@link #MEMORY}, if the site has it.
     */
    static Nodes nodes(String text, long nowSeconds) {
        Map<String, Integer> cores = new HashMap<>();
        long memory = 0;
        for (OarJson resource : OarJson.parse("oarnodes", text).objects().values()) {
            if (isUsable(resource, nowSeconds)) {
                cores.merge(resource.text("network_address"), 1, Integer::sum);
                memory = Math.max(memory, resource.number(MEMORY) << 20);
            }
        }
        int minCores = cores.values().stream()
                .mapToInt(Integer::intValue)
                .min()
                .orElseThrow(
                        () -> new InputException(
                                "no node is in service: oarnodes lists none that is Alive. Wait, or ask the site's administrators"));
        return new Nodes(cores.size(), minCores, memory);
    }

    /** Whether jobs can run there, now or after wake-up. */
    static boolean isUsable(OarJson resource, long nowSeconds) {
        boolean asleep = resource.text("state").equals("Absent") && resource.number("available_upto") > nowSeconds;
        return resource.text("type").equals("default")
                && (resource.text("state").equals("Alive") || asleep);
    }
}
