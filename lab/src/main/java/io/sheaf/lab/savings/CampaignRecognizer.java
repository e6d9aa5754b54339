package io.sheaf.lab.savings;

import io.sheaf.lab.savings.PastCampaign.Evidence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds past campaigns in accounting: sets of jobs of one user that belong together.
 *
 * <h2>Links</h2>
 * One pass in order of submission links each job to earlier ones of the same user: by each of the first three rules, and by the first of the others
 * that applies. A campaign is a connected set of at least a given number of jobs.
 *
 * <ul>
 *   <li>array: tasks of one job array;
 *   <li>tool: names of one workflow tool (Nextflow, Snakemake), while its jobs are in the system or at most 10 minutes later;
 *   <li>dependency: the log names the preceding job, or the job became eligible after its submission, when another one ended;
 *   <li>script: submitted within 10 seconds of the user's last job;
 *   <li>similar: same kind of name and size as a job submitted at most 5 minutes before;
 *   <li>succession: submitted within 2 minutes of the end of another job.
 * </ul>
 * Jobs of different tools, or of runs of a tool that names each run, are never linked by time alone. Sheaf's own pilot jobs are skipped.
 */
public final class CampaignRecognizer {
    private static final long TOOL_GAP = 600_000;
    private static final long SCRIPT_GAP = 10_000;
    private static final long SIMILAR_GAP = 300_000;

    private final PastJobs log;
    /** By job: the job that stands for its campaign, by way of others. */
    private final int[] leader;
    /** By job: the evidence of its link; null for the first job. */
    private final @Nullable Evidence[] evidence;

    private CampaignRecognizer(PastJobs log) {
        this.log = log;
        leader = new int[log.size];
        Arrays.setAll(leader, i -> i);
        evidence = new Evidence[log.size];
    }

    /**
     * The campaigns of at least this many jobs, in order of their first submission.
     *
     * @param minJobs at least 2
     */
    public static List<PastCampaign> campaigns(PastJobs log, int minJobs) {
        CampaignRecognizer recognizer = new CampaignRecognizer(log);
        for (int[] jobs : recognizer.byUser()) {
            recognizer.new OfUser(jobs).link();
        }
        return recognizer.collect(minJobs);
    }

    private Collection<int[]> byUser() {
        Map<Integer, IntStream.Builder> jobs = new LinkedHashMap<>();
        for (int job = 0; job < log.size; job++) {
            if (!JobName.isPilotJob(log.name(job))) {
                jobs.computeIfAbsent(log.user[job], user -> IntStream.builder()).accept(job);
            }
        }
        return jobs.values().stream().map(each -> each.build().toArray()).toList();
    }

    private List<PastCampaign> collect(int minJobs) {
        Map<Integer, IntStream.Builder> members = new LinkedHashMap<>();
        for (int job = 0; job < log.size; job++) {
            members.computeIfAbsent(leader(job), each -> IntStream.builder()).accept(job);
        }
        List<PastCampaign> campaigns = new ArrayList<>();
        for (IntStream.Builder each : members.values()) {
            int[] jobs = each.build().toArray();
            long tasks = Arrays.stream(jobs).filter(job -> !log.superseded[job]).count();
            if (tasks >= minJobs) {
                campaigns.add(PastCampaign.of(log, jobs, evidence(jobs)));
            }
        }
        return campaigns;
    }

    /** The evidence of a campaign, most frequent first. */
    private List<Evidence> evidence(int[] jobs) {
        Map<Evidence, Integer> counts = new EnumMap<>(Evidence.class);
        for (int job : jobs) {
            Evidence reason = evidence[job];
            if (reason != null) {
                counts.merge(reason, 1, Integer::sum);
            }
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<Evidence, Integer>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
    }

    private int leader(int job) {
        int at = job;
        while (leader[at] != at) {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        return at;
    }

    /** The jobs of one user, in order of submission. */
    private final class OfUser {
        private final int[] jobs;
        private final int[] byEnd;
        private final Map<Long, Integer> arrays = new HashMap<>();
        private final Map<String, Integer> kinds = new HashMap<>();
        /** By tool: its last job, and the last end of its jobs. */
        private final Map<String, Integer> tools = new HashMap<>();

        private final Map<String, Long> busyUntil = new HashMap<>();

        OfUser(int[] jobs) {
            this.jobs = jobs;
            byEnd = Arrays.stream(jobs)
                    .boxed()
                    .sorted(Comparator.comparingLong((Integer job) -> log.end[job])
                            .thenComparingInt(job -> job))
                    .mapToInt(job -> job)
                    .toArray();
        }

        void link() {
            for (int i = 0; i < jobs.length; i++) {
                int job = jobs[i];
                if (log.array[job] >= 0) {
                    join(job, arrays.put(log.array[job], job), Evidence.ARRAY);
                }
                byTool(job);
                if (log.preceding[job] >= 0) {
                    join(job, log.preceding[job], Evidence.DEPENDENCY);
                } else if (log.release[job] > log.submit[job]) {
                    join(job, endedBy(log.release[job], job), Evidence.DEPENDENCY);
                }
                inTime(job, i == 0 ? null : jobs[i - 1]);
            }
        }

        private void byTool(int job) {
            String tool = log.kind(job).tool();
            if (!tool.isEmpty()) {
                Integer last = tools.put(tool, job);
                if (last != null && log.submit[job] <= busyUntil.getOrDefault(tool, 0L) + TOOL_GAP) {
                    join(job, last, Evidence.TOOL);
                }
                busyUntil.merge(tool, log.end[job], Math::max);
            }
        }

        /** Links a job by the instant of its submission. */
        private void inTime(int job, @Nullable Integer before) {
            String stem = log.kind(job).stem();
            String kind = stem + "|" + log.nodes[job] + (stem.isEmpty() ? "|" + log.request[job] : "");
            Integer previous = kinds.put(kind, job);
            if (before != null && log.submit[job] - log.submit[before] <= SCRIPT_GAP) {
                joinUnlessOtherTool(job, before, Evidence.SCRIPT);
            } else if (previous != null && log.submit[job] - log.submit[previous] <= SIMILAR_GAP) {
                joinUnlessOtherTool(job, previous, Evidence.SIMILAR);
            } else {
                joinUnlessOtherTool(job, endedBy(log.submit[job], job), Evidence.SUCCESSION);
            }
        }

        /** The last job that had ended at an instant, not long before, and was submitted before this one; null if there is none. */
        private @Nullable Integer endedBy(long at, int job) {
            int low = 0;
            int high = byEnd.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (log.end[byEnd[middle]] <= at) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            for (int i = low - 1; i >= 0 && log.end[byEnd[i]] >= at - PastCampaign.FOLLOWS; i--) {
                if (byEnd[i] < job) {
                    return byEnd[i];
                }
            }
            return null;
        }
    }

    private void joinUnlessOtherTool(int job, @Nullable Integer other, Evidence reason) {
        if (other != null && log.kind(job).tool().equals(log.kind(other).tool())) {
            join(job, other, reason);
        }
    }

    private void join(int job, @Nullable Integer other, Evidence reason) {
        if (other != null) {
            evidence[job] = evidence[job] == null ? reason : evidence[job];
            int one = leader(job);
            int two = leader(other);
            leader[Math.max(one, two)] = Math.min(one, two);
        }
    }
}
