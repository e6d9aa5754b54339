package io.sheaf.lab.savings;

import static io.sheaf.batch.BatchEngine.NEVER;

import io.sheaf.batch.Policy;
import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.BackgroundWait;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.KnownTimes;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.campaign.Campaign;
import io.sheaf.strategy.Profile;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Replays past campaigns as they were submitted and under each strategy, against the other jobs of the log.
 *
 * <p>The campaign's jobs are removed; all other jobs keep their submissions and run times. Each replay begins with the recorded state of the cluster. A
 * strategy begins when the last job without parents was released, so that it knows no job that the user did not know. It knows the requested times
 * of tasks, and learns their run times from completed ones. Both replays use the same policy, so that savings do not include its error.
 *
 * @param nodes of the cluster
 * @param strategies with their parameters
 * @param known what strategies know of run times
 */
public record SavingsStudy(PastJobs log, int nodes, Policy policy, List<String> strategies, KnownTimes known) {
    private static final long DAY = 86_400_000;

    /** Background jobs released this long after the campaign's recorded end still arrive. */
    private static final long AFTERWARDS = 7 * DAY;

    /** The time after a replay for which waits of background jobs are compared. */
    private static final long FOLLOWED = 7 * DAY;

    private static final int MAX_PILOT_JOBS = 16;

    /** The most jobs of a campaign that is replayed. */
    public static final int MAX_TASKS = 2_000;

    /**
     * One result of a campaign.
     *
     * @param turnaround from the first submission to the last end, in milliseconds; negative if it did not complete
     * @param nodeMillis allocated node time
     * @param othersMillis the additional waiting of all other users' jobs, in milliseconds in total
     * @param jobs batch jobs submitted
     * @param failure why it did not complete; empty if it did
     */
    public record CampaignResult(long turnaround, long nodeMillis, double othersMillis, int jobs, String failure) {
        public boolean completed() {
            return turnaround >= 0;
        }
    }

    /**
     * The results of one campaign.
     *
     * @param submitted its first submission, in milliseconds since the origin of the log
     * @param recorded as accounting has it; the wait of other users is unknown
     * @param asSubmitted replayed as it was submitted
     * @param replayed one per strategy, in their order
     */
    public record Compared(
            PastCampaign campaign,
            long submitted,
            CampaignResult recorded,
            CampaignResult asSubmitted,
            List<CampaignResult> replayed) {
        /** The time to the result that a strategy saves, in hours; NaN if it did not complete. */
        public double savedHours(int strategy) {
            return saved(strategy, CampaignResult::turnaround);
        }

        /** The node-hours that a strategy saves; NaN if it did not complete. */
        public double savedNodeHours(int strategy) {
            return saved(strategy, CampaignResult::nodeMillis);
        }

        /** The hours that other users' jobs wait less in total than with the jobs as submitted; NaN if it did not complete. */
        public double othersSavedHours(int strategy) {
            return saved(strategy, CampaignResult::othersMillis);
        }

        private double saved(int strategy, ToDoubleFunction<CampaignResult> millis) {
            CampaignResult result = replayed.get(strategy);
            return result.completed()
                    ? (millis.applyAsDouble(asSubmitted) - millis.applyAsDouble(result)) / 3.6e6
                    : Double.NaN;
        }
    }

    /**
     * Whether a campaign can be replayed: it has at most {@link #MAX_TASKS} jobs, all fit the cluster, and it did not begin on the first day of the
     * log, for which running jobs are unknown.
     */
    public static boolean canReplay(PastJobs log, PastCampaign campaign, int nodes) {
        return campaign.jobs().length <= MAX_TASKS
                && campaign.firstSubmit(log) >= log.submit[0] + DAY
                && Arrays.stream(campaign.jobs()).allMatch(job -> log.nodes[job] <= nodes);
    }

    /** Replays all campaigns, for each of which {@link #canReplay} is true. */
    public List<Compared> run(List<PastCampaign> campaigns, Campaign.Watcher watcher) {
        int[] byRelease = PolicyFit.byRelease(log);
        List<Compared> all = new ArrayList<>();
        for (PastCampaign campaign : campaigns) {
            all.add(compare(campaign, byRelease));
            watcher.done(all.size(), campaigns.size());
        }
        return all;
    }

    private Compared compare(PastCampaign campaign, int[] byRelease) {
        boolean[] removed = new boolean[log.size];
        for (int job : campaign.removed()) {
            removed[job] = true;
        }
        long first = campaign.firstSubmit(log);
        int[][] parents = campaign.parents(log);
        RecordedWindow window =
                RecordedWindow.of(log, byRelease, first, campaign.lastEnd(log) + AFTERWARDS, removed, nodes);
        CampaignResult recorded = new CampaignResult(
                campaign.lastEnd(log) - first, campaign.nodeMillis(log), Double.NaN, campaign.removed().length, "");
        CampaignResult asSubmitted = asSubmitted(campaign, parents, window);
        return new Compared(campaign, first, recorded, asSubmitted, replayed(campaign, parents, window));
    }

    private CampaignResult asSubmitted(PastCampaign campaign, int[][] parents, RecordedWindow window) {
        Checkpoints background =
                new Checkpoints(window.jobs(), policy, nodes, new long[] {window.toWindow(window.begin())}, NEVER);
        BackgroundCost cost = new BackgroundCost(background.baseline(), FOLLOWED);
        SimulatedQueue queue = background.fork(0);
        cost.begin(queue);
        long end = new ToolSubmission(jobs(campaign, parents, window), queue, cost).simulate();
        cost.finish(queue);
        return new CampaignResult(
                end - window.toWindow(window.begin()),
                campaign.nodeMillis(log),
                total(cost.backgroundWait()),
                campaign.jobs().length,
                "");
    }

    /** The jobs with their recorded sizes, times and delays. */
    private List<ToolSubmission.ToolJob> jobs(PastCampaign campaign, int[][] parents, RecordedWindow window) {
        List<ToolSubmission.ToolJob> jobs = new ArrayList<>();
        for (int task = 0; task < parents.length; task++) {
            int job = campaign.jobs()[task];
            long ready = 0;
            for (int parent : parents[task]) {
                ready = Math.max(ready, log.end[campaign.jobs()[parent]]);
            }
            jobs.add(new ToolSubmission.ToolJob(
                    log.nodes[job],
                    log.request[job],
                    log.end[job] - log.start[job],
                    parents[task],
                    window.toWindow(log.release[job]),
                    log.release[job] - ready));
        }
        return jobs;
    }

    private List<CampaignResult> replayed(PastCampaign campaign, int[][] parents, RecordedWindow window) {
        Workflow workflow = campaign.workflow(log, parents);
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), MAX_PILOT_JOBS);
        long[] start = {window.toWindow(campaign.known(log, parents))};
        Campaign replay = new Campaign(
                window.jobs(),
                policy,
                nodes,
                start,
                Conventions.OWN,
                setup,
                List.of(workflow),
                strategies,
                known,
                true);
        List<CampaignResult> results = new ArrayList<>();
        for (SimulatedRun run : replay.runner().run(0, 0).runs()) {
            results.add(new CampaignResult(
                    run.completed() ? run.end() - window.toWindow(window.begin()) : -1,
                    run.allocatedNodeMillis(),
                    total(run.background()),
                    run.jobsSubmitted(),
                    run.reason()));
        }
        return results;
    }

    private static double total(BackgroundWait background) {
        return 1000 * background.jobs() * background.meanSeconds();
    }
}
