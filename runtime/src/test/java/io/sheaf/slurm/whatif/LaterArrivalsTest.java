package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cluster of 8 nodes of 2 cores. For 40 minutes ann has submitted a job in the middle of each 10 minutes, and bob one at the beginning. */
class LaterArrivalsTest {
    private static final long MINUTE = 60_000;
    private static final Map<String, String> CONFIG = Map.of(
            "PriorityType", "priority/multifactor",
            "PriorityWeightFairShare", "10000",
            "PriorityWeightAge", "1000",
            "PriorityMaxAge", "01:00:00");
    private static final String SHARES = """
            root|||1|
             lab||1|1|
              lab|ann|1|0|0.900000
              lab|bob|1|1|0.500000
              lab|me|1|1|0.600000
            """;

    private static SlurmSnapshot snapshot(Map<String, String> config) {
        SlurmPriority priority =
                new SlurmPriority(config, Map.of(), Map.of(), "", 8, 16, SlurmShares.read(SHARES, "me", "lab"));
        return Texts.counting(
                Texts.snapshot(Texts.running(1, "n[1-8]", 600), Texts.EIGHT), SlurmMemory.UNCOUNTED, priority);
    }

    private static LaterArrivals.Submitted job(String user, int cores, long minutesAgo) {
        return new LaterArrivals.Submitted(user, "lab", "main", 8, cores, 4 * MINUTE, Texts.AT - minutesAgo * MINUTE);
    }

    private static List<LaterArrivals.Submitted> past(int cores) {
        List<LaterArrivals.Submitted> past = new ArrayList<>(List.of(job("bob", 16, 40)));
        for (int ago : new int[] {35, 25, 15, 5}) {
            past.add(job("ann", cores, ago));
            past.add(job("me", 16, ago));
        }
        return past;
    }

    private static List<SlurmJob> of(String user, List<SlurmJob> jobs) {
        return jobs.stream().filter(job -> job.user().equals(user)).toList();
    }

    /** Each of the next 10 minutes repeats some of the past: ann arrives after 5, 15, 25 minutes. Meanwhile queued jobs gain 83, 250, 416 points of age. */
    @Test
    void pastSubmissionsRepeatWithThePriorityOfTheirUser() {
        List<SlurmJob> jobs = new LaterArrivals(past(16), Texts.AT).drawn(snapshot(CONFIG), new RandomStream(1));
        List<SlurmJob> ann = of("ann", jobs).subList(0, 3);
        assertThat(ann).extracting(job -> (job.start() - Texts.AT) / MINUTE).containsExactly(5L, 15L, 25L);
        assertThat(ann).extracting(SlurmJob::priority).containsExactly(9000L - 83, 9000L - 250, 9000L - 416);
        assertThat(of("bob", jobs)).allMatch(job -> job.priority() <= 5000);
        assertThat(of("me", jobs)).as("own jobs are known").isEmpty();
    }

    @Test
    void unknownFactorsAreSampledFromAllValues() {
        List<LaterArrivals.Submitted> past = new ArrayList<>(past(16));
        past.replaceAll(job -> new LaterArrivals.Submitted(
                job.user(), "hidden", job.partition(), job.nodes(), job.cores(), job.limit(), job.at()));
        List<SlurmJob> jobs = new LaterArrivals(past, Texts.AT).drawn(snapshot(CONFIG), new RandomStream(1));
        assertThat(jobs).hasSizeGreaterThan(100);
        assertThat(jobs.stream().filter(job -> job.priority() > 4500).count())
                .isBetween(jobs.size() * 3L / 10, jobs.size() * 7L / 10);
    }

    /** A job that uses half of its nodes' cores arrives in half of the samples. */
    @Test
    void jobsOnPartsOfNodesArriveInPartOfTheSamples() {
        int whole = of("ann", new LaterArrivals(past(16), Texts.AT).drawn(snapshot(CONFIG), new RandomStream(1)))
                .size();
        int half = of("ann", new LaterArrivals(past(8), Texts.AT).drawn(snapshot(CONFIG), new RandomStream(1)))
                .size();
        assertThat(whole).as("one in 10 minutes of a day").isEqualTo(144);
        assertThat(half).isBetween(48, 96);
    }

    @Test
    void withoutPrioritiesNoArrivalsAreSampled() {
        Map<String, String> basic = Map.of("PriorityType", "priority/basic");
        LaterArrivals arrivals = new LaterArrivals(past(16), Texts.AT);
        assertThat(arrivals.drawn(snapshot(basic), new RandomStream(1))).isEmpty();
        assertThat(LaterArrivals.NONE.drawn(snapshot(CONFIG), new RandomStream(1)))
                .isEmpty();
    }

    /**
     * All nodes are in use for 10 minutes. With 6,000 points, a job of 8 nodes is overtaken by ann's, which arrives after 5 minutes and needs 4: it starts after 14. With 9,500 it is the first.
     * An unknown priority of ours counts as the last of the present jobs only.
     */
    @Test
    void jobsOfHigherPriorityOvertakeOurs() {
        SlurmSnapshot now = snapshot(CONFIG);
        List<SlurmJob> jobs = new ArrayList<>(now.jobs());
        jobs.addAll(of("ann", new LaterArrivals(past(16), Texts.AT).drawn(now, new RandomStream(1))));
        SlurmSnapshot sample = now.with(jobs);
        assertThat(Texts.start(sample, Texts.target("main", 6_000), 8, 60)).isEqualTo(14 * 60);
        assertThat(Texts.start(sample, Texts.target("main", 9_500), 8, 60)).isEqualTo(10 * 60);
        assertThat(Texts.start(sample, Texts.target("main"), 8, 60)).isEqualTo(10 * 60);
    }
}
