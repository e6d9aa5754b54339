package io.sheaf.lab.savings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueOrder;
import io.sheaf.formats.swf.SwfHeader;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.lab.savings.KnownCampaigns.Recognition;
import io.sheaf.lab.savings.PastCampaign.Evidence;
import io.sheaf.lab.savings.SavingsStudy.Compared;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownTimes;
import io.sheaf.sim.TraceRules;
import io.sheaf.sim.model.Presets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests campaigns, policies and savings that are inferred from simulated accounting, of which the truth is known. */
class SavingsTruthTest {
    private static final int NODES = 100;
    private static final int DAYS = 40;

    private static JobLog background(long seed) {
        SwfLog log = Presets.model("kth-like").generateDays(seed, DAYS);
        return TraceRules.forNodes(NODES).withScaleLoad(1.22).apply(log).jobs();
    }

    private static KnownCampaigns truth(Policy policy, int campaigns, long seed) {
        return KnownCampaigns.in(background(seed), policy, NODES, campaigns, seed);
    }

    /** Jobs of the model are independent, so every campaign that is recognised among them is wrong. */
    @ParameterizedTest
    @CsvSource({"true, 0.95, 0.9", "false, 0.9, 0.85"})
    void campaignsAreRecognised(boolean named, double recall, double precision) {
        int known = 0;
        int right = 0;
        int found = 0;
        for (long seed = 1; seed <= 2; seed++) {
            KnownCampaigns truth = truth(Policy.easy(), 40, seed);
            PastJobs jobs = PastJobs.of(truth.log(), named ? truth.labels() : null, 1, -1);
            Recognition judged = truth.judge(CampaignRecognizer.campaigns(jobs, 4));
            known += judged.known();
            right += judged.right();
            found += judged.found() + judged.unknown();
        }
        assertThat(known).isEqualTo(80);
        assertThat(right / (double) known).isGreaterThanOrEqualTo(recall);
        assertThat(right / (double) found).isGreaterThanOrEqualTo(precision);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "easy",
                "conservative",
                "fcfs",
                "easy, large first",
                "conservative, small first",
                "easy, fair share"
            })
    void thePolicyIsInferred(String name) {
        Policy policy =
                switch (name) {
                    case "conservative" -> Policy.conservative();
                    case "fcfs" -> Policy.fcfs();
                    case "easy, large first" -> Policy.easy().withOrder(QueueOrder.LARGE);
                    case "conservative, small first" -> Policy.conservative().withOrder(QueueOrder.SMALL);
                    case "easy, fair share" ->
                        Policy.easy().withOrder(QueueOrder.ARRIVAL.withFairShare(36_000, 7 * 86_400_000L));
                    default -> Policy.easy();
                };
        KnownCampaigns truth = truth(policy, 10, 4);
        PolicyFit fit = PolicyFit.of(PastJobs.of(truth.log(), truth.labels(), 1, -1), NODES);
        assertThat(fit.isInferred()).isTrue();
        assertThat(fit.best().name()).isEqualTo(name);
        assertThat(fit.relativeError()).isLessThan(0.5);
    }

    /** With the true policy, a replay of the submitted jobs has the recorded turnaround times. */
    @Test
    void aReplayOfTheSubmissionsEqualsTheRecord() {
        KnownCampaigns truth = truth(Policy.easy(), 12, 5);
        PastJobs jobs = PastJobs.of(truth.log(), truth.labels(), 1, -1);
        List<PastCampaign> found = CampaignRecognizer.campaigns(jobs, 4).stream()
                .filter(each -> truth.isKnown(each) && SavingsStudy.canReplay(jobs, each, NODES))
                .toList();
        List<String> strategies = List.of("auto", "onejob");
        List<Compared> compared = new SavingsStudy(jobs, NODES, Policy.easy(), strategies, KnownTimes.LEARNT)
                .run(found, (done, all) -> {});
        assertThat(compared).hasSizeGreaterThan(9).allSatisfy(each -> {
            assertThat(each.asSubmitted().turnaround())
                    .isEqualTo(each.recorded().turnaround());
            assertThat(each.replayed()).allMatch(SavingsStudy.CampaignResult::completed);
        });
        List<SavingsTotal> totals = SavingsTotal.of(compared, strategies);
        double sum = compared.stream().mapToDouble(each -> each.savedHours(0)).sum();
        assertThat(totals.get(0).hours().sum()).isCloseTo(sum, within(1e-6));
        assertThat(totals.get(0).hours().interval().low()).isLessThan(sum);
        assertThat(totals.get(0).hours().interval().high()).isGreaterThan(sum);
        assertThat(SavingsTotal.of(compared.subList(0, 3), strategies)
                        .get(0)
                        .hours()
                        .hasInterval())
                .isFalse();
    }

    /**
     * Two jobs of an array end at 10 and 20 s. A third job, 5 s later, depends on both, and a fourth one on the third.
     */
    @Test
    void aJobDependsOnTheJobsThatEndedBeforeIt() {
        SwfLog.Builder log = SwfLog.builder();
        log.add(job(1, 0, 0, 10));
        log.add(job(2, 0, 0, 20));
        log.add(job(3, 25, 5, 30));
        log.add(job(4, 62, 0, 10));
        PastJobs jobs = PastJobs.of(log.build(new SwfHeader(List.of())), null, 1, -1);
        List<PastCampaign> found = CampaignRecognizer.campaigns(jobs, 4);
        assertThat(found).hasSize(1);
        assertThat(found.get(0).evidence()).containsExactly(Evidence.SIMILAR, Evidence.SCRIPT);
        assertThat(found.get(0).parents(jobs)).isDeepEqualTo(new int[][] {{}, {}, {0, 1}, {2}});
        assertThat(jobs.maxInUse()).isEqualTo(4);
    }

    private static long[] job(int number, int submit, int wait, int run) {
        long[] row = new long[18];
        Arrays.fill(row, -1);
        row[0] = number;
        row[1] = submit * 1000L;
        row[2] = wait * 1000L;
        row[3] = run * 1000L;
        row[4] = 2;
        row[8] = 60_000;
        row[11] = 7;
        return row;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "nf-NFCORE_RNASEQ_FASTQC_(SAMPLE1); nextflow; NFCORE_RNASEQ_FASTQC",
                "snakejob.map_reads.17.sh; snakemake; map_reads",
                "0b8a61a2-3f0e-4d39-8a33-1b7f5f5e8a10; 0b8a61a2-3f0e-4d39-8a33-1b7f5f5e8a10; ''",
                "case_017; ''; case_#",
            })
    void jobNamesShowTheToolAndTheStem(String name, String tool, String stem) {
        assertThat(JobName.of(name)).isEqualTo(new JobName(tool, stem));
    }
}
