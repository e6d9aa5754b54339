package io.sheaf.lab.savings;

import io.sheaf.batch.Policy;
import io.sheaf.formats.slurm.SacctReader.Labels;
import io.sheaf.formats.swf.SwfField;
import io.sheaf.formats.swf.SwfHeader;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.BackgroundReports;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Accounting with known truth: a background log and generated campaigns, scheduled by a known policy.
 *
 * <p>Campaigns are, in turn: a job array; a chain of dependent jobs; arrays between single jobs, with dependencies; runs of Snakemake and of
 * Nextflow, which submit a job when its inputs exist; and a script that submits similar jobs one by one. They have 5 to 60 jobs and begin at uniformly
 * distributed instants. Each of seven new users has every seventh one. Deterministic by seed.
 *
 * @param campaign by job of the log: the number of its campaign; negative for a background job
 */
@SuppressWarnings("ArrayRecordComponent")
public record KnownCampaigns(SwfLog log, Labels labels, int[] campaign) {
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final int USERS = 7;
    private static final int KINDS = 6;

    /**
     * How well campaigns are recognised.
     *
     * @param found recognised campaigns with at least one job of a known one
     * @param unknown recognised campaigns of background jobs only; in a real log they may be campaigns as well
     */
    public record Recognition(int known, int found, int right, int unknown) {
        /** The share of right campaigns among those found; 1 if none was found. */
        public double precision() {
            return found == 0 ? 1 : right / (double) found;
        }

        /** The share of known campaigns that were found. */
        public double recall() {
            return known == 0 ? 1 : right / (double) known;
        }
    }

    /** Schedules generated campaigns together with background jobs. */
    public static KnownCampaigns in(JobLog background, Policy policy, int nodes, int count, long seed) {
        GeneratedCampaigns plan = new GeneratedCampaigns(background, nodes, new RandomStream(seed).split("campaigns"));
        for (int c = 0; c < count; c++) {
            plan.campaign(c);
        }
        SimulatedQueue queue = new SimulatedQueue(background, policy, nodes);
        long[] start = new long[background.size()];
        Arrays.fill(start, -1);
        BackgroundReports starts = BackgroundReports.startsTo(start);
        ToolSubmission driven = new ToolSubmission(plan.jobs, queue, starts);
        driven.simulate();
        queue.advanceTo(Long.MAX_VALUE / 4, starts);
        return plan.accounting(driven, start);
    }

    /**
     * Compares campaigns found in this log with the known ones. A campaign is right if it has at least nine tenths of all jobs of both.
     */
    public Recognition judge(List<PastCampaign> found) {
        Map<Integer, Integer> known = counts(Arrays.stream(campaign));
        int recognized = 0;
        int right = 0;
        for (PastCampaign each : found) {
            Map<Integer, Integer> common = counts(Arrays.stream(each.removed()).map(job -> campaign[job]));
            recognized += common.isEmpty() ? 0 : 1;
            for (Map.Entry<Integer, Integer> one : common.entrySet()) {
                int both = known.getOrDefault(one.getKey(), 0) + each.removed().length - one.getValue();
                right += 10 * one.getValue() >= 9 * both ? 1 : 0;
            }
        }
        return new Recognition(known.size(), recognized, right, found.size() - recognized);
    }

    private static Map<Integer, Integer> counts(IntStream campaigns) {
        return campaigns.filter(number -> number >= 0).boxed().collect(Collectors.toMap(n -> n, n -> 1, Integer::sum));
    }

    /** Whether a campaign found in this log has jobs of a known one. */
    public boolean isKnown(PastCampaign found) {
        return Arrays.stream(found.removed()).anyMatch(job -> campaign[job] >= 0);
    }

    /** Campaigns being generated. */
    private static final class GeneratedCampaigns {
        final JobLog background;
        final int nodes;
        final RandomStream random;
        final List<ToolSubmission.ToolJob> jobs = new ArrayList<>();
        final List<Integer> campaigns = new ArrayList<>();
        final List<Integer> names = new ArrayList<>();
        final List<Long> arrays = new ArrayList<>();
        /** The submission of a job that waits for its parents in the queue; negative if it is submitted when they have ended. */
        final List<Long> submitted = new ArrayList<>();

        final Map<String, Integer> numbers = new HashMap<>();
        int current;
        int firstUser;

        GeneratedCampaigns(JobLog background, int nodes, RandomStream random) {
            this.background = background;
            this.nodes = nodes;
            this.random = random;
            for (int job = 0; job < background.size(); job++) {
                firstUser = Math.max(firstUser, background.user(job) + 1);
            }
        }

        void campaign(int number) {
            current = number;
            long span = background.submit(background.size() - 1);
            long at = Math.round(span * (0.05 + 0.85 * random.nextDouble()));
            int width = 1 + random.nextInt(Math.max(1, nodes / 16));
            int size = 5 + random.nextInt(56);
            int[] none = {};
            switch (number % KINDS) {
                case 0 -> stage("sweep", size, width, none, at, 0, at, number);
                case 1 -> {
                    int[] last = none;
                    for (int step = 0; step < 5 + size / 10; step++) {
                        last = stage("step" + step, 1, width, last, at, 0, at + step * SECOND, -1);
                    }
                }
                case 2 -> {
                    int[] last = stage("prepare", 1, width, none, at, 0, at, -1);
                    last = stage("members", size, width, last, at, 0, at + SECOND, number);
                    stage("collect", 1, width, last, at, 0, at + 2 * SECOND, -1);
                }
                case 3 -> tool(at, width, size, 10, "snakejob.rule%s.%d.sh");
                case 4 -> tool(at, width, size, 30, "nf-PROCESS%s_(sample%d)");
                default -> {
                    int first = jobs.size();
                    stage("case_", size, width, none, at, 0, -1, -1);
                    long next = at;
                    for (int i = first; i < jobs.size(); i++) {
                        ToolSubmission.ToolJob job = jobs.get(i);
                        jobs.set(i, new ToolSubmission.ToolJob(width, job.request(), job.run(), none, next, 0));
                        next += SECOND + random.nextInt((int) MINUTE);
                    }
                }
            }
        }

        /** Three to five stages; each job has some jobs of the stage before as parents. */
        private void tool(long at, int width, int size, int seconds, String name) {
            int stages = 3 + random.nextInt(3);
            int[] last = {};
            int number = 0;
            for (int s = 0; s < stages; s++) {
                int count = s == stages - 1 ? 1 : Math.max(2, size / stages);
                int[] made = new int[count];
                for (int i = 0; i < count; i++) {
                    int from = last.length * i / count;
                    int[] parents = last.length == 0
                            ? last
                            : Arrays.copyOfRange(last, from, Math.max(from + 1, last.length * (i + 1) / count));
                    long delay = (1 + random.nextInt(seconds)) * SECOND;
                    String of = String.format(Locale.ROOT, name, (char) ('A' + s), number++);
                    made[i] = stage(of, 1, width, parents, at + i * SECOND, delay, -1, -1)[0];
                }
                last = made;
            }
        }

        private int[] stage(
                String name, int count, int width, int[] parents, long release, long delay, long submit, int array) {
            int[] made = new int[count];
            double typical = MINUTE * StrictMath.exp(2 + 2.5 * random.nextDouble());
            for (int i = 0; i < count; i++) {
                long run = Math.round(typical * StrictMath.exp(0.4 * random.gaussian()));
                made[i] = jobs.size();
                jobs.add(new ToolSubmission.ToolJob(
                        width, Math.max(run, Math.round(4 * typical)), run, parents, release, delay));
                campaigns.add(current);
                names.add(numbers.computeIfAbsent(name, each -> numbers.size() + 1));
                arrays.add(array < 0 ? -1L : 1_000_000L + array);
                submitted.add(submit);
            }
            return made;
        }

        /** The log, in order of submission. */
        KnownCampaigns accounting(ToolSubmission driven, long[] starts) {
            List<long[]> rows = new ArrayList<>();
            for (int job = 0; job < background.size(); job++) {
                if (starts[job] >= 0) {
                    long run = Math.min(background.run(job), background.requested(job));
                    long[] row =
                            row(background.submit(job), starts[job], run, background.nodes(job), background.user(job));
                    set(row, SwfField.REQUESTED_TIME, background.requested(job));
                    row[ELIGIBLE] = 0;
                    rows.add(row);
                }
            }
            for (int job = 0; job < jobs.size(); job++) {
                ToolSubmission.ToolJob each = jobs.get(job);
                long submit = submitted.get(job) < 0 ? driven.released(job) : submitted.get(job);
                long[] row = row(
                        submit, driven.start(job), each.run(), each.nodes(), firstUser + campaigns.get(job) % USERS);
                set(row, SwfField.REQUESTED_TIME, each.request());
                set(row, SwfField.EXECUTABLE, names.get(job));
                row[ELIGIBLE] = driven.released(job) - submit;
                row[ELIGIBLE + 1] = arrays.get(job);
                row[ELIGIBLE + 2] = campaigns.get(job);
                rows.add(row);
            }
            rows.sort(Comparator.comparingLong(row -> row[SwfField.SUBMIT.number() - 1]));
            return columns(rows);
        }

        private static final int ELIGIBLE = SwfField.COUNT;

        private static long[] row(long submit, long start, long run, int width, int user) {
            long[] row = new long[ELIGIBLE + 3];
            Arrays.fill(row, SwfLog.UNKNOWN);
            set(row, SwfField.SUBMIT, submit);
            set(row, SwfField.WAIT, start - submit);
            set(row, SwfField.RUN, run);
            set(row, SwfField.ALLOCATED_PROCS, width);
            set(row, SwfField.REQUESTED_PROCS, width);
            set(row, SwfField.STATUS, SwfLog.COMPLETED);
            set(row, SwfField.USER, user);
            return row;
        }

        private static void set(long[] row, SwfField field, long value) {
            row[field.number() - 1] = value;
        }

        private KnownCampaigns columns(List<long[]> rows) {
            SwfLog.Builder log = SwfLog.builder();
            long[] eligible = new long[rows.size()];
            long[] array = new long[rows.size()];
            int[] campaign = new int[rows.size()];
            for (int i = 0; i < rows.size(); i++) {
                long[] row = rows.get(i);
                set(row, SwfField.JOB, i + 1L);
                log.add(Arrays.copyOf(row, SwfField.COUNT));
                eligible[i] = row[ELIGIBLE];
                array[i] = row[ELIGIBLE + 1];
                campaign[i] = (int) row[ELIGIBLE + 2];
            }
            String[] named = new String[numbers.size()];
            numbers.forEach((name, number) -> named[number - 1] = name);
            Labels labels = new Labels(List.of(), List.of(named), List.of(), eligible, array, new boolean[rows.size()]);
            return new KnownCampaigns(
                    log.build(new SwfHeader(List.of(new SwfHeader.HeaderField("MaxNodes", Integer.toString(nodes))))),
                    labels,
                    campaign);
        }
    }
}
