package io.sheaf.sim.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.formats.Source;
import io.sheaf.formats.swf.SwfField;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.random.RandomStream;
import io.sheaf.testing.Shared;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class WorkloadModelTest {
    @Test
    void theSameSeedGivesTheSameBytesOnEveryMachine() throws IOException {
        // Recorded checksums: a change here changes every published result that names a preset and a seed.
        assertThat(checksum(published(128).generate(42, 5000))).isEqualTo(1_340_822_025L);
        assertThat(checksum(Presets.model("star-like").generate(42, 5000))).isEqualTo(2_124_468_053L);
    }

    @Test
    void aLongerLogStartsWithTheShorterOne() {
        WorkloadModel model = published(64);
        SwfLog few = model.generate(3, 100);
        SwfLog many = model.generate(3, 1000);
        for (SwfField f : SwfField.values()) {
            for (int i = 0; i < few.size(); i++) {
                assertThat(many.value(f, i)).isEqualTo(few.value(f, i));
            }
        }
        assertThat(model.generate(4, 100).run(0)).isNotEqualTo(few.run(0));
    }

    @Test
    void daysCanBeRequestedInsteadOfJobs() {
        SwfLog log = Presets.model("kth-like").generateDays(1, 30);
        assertThat(log.submit(log.size() - 1)).isBetween(29 * 86_400_000L, 30 * 86_400_000L);
    }

    @Test
    void everyJobCanBeReplayed() {
        for (ClusterFigures f : Presets.all()) {
            SwfLog log = ModelFit.of(f).generate(9, 3000);
            long last = 0;
            for (int i = 0; i < log.size(); i++) {
                assertThat(log.procs(i)).isBetween(1, f.widest());
                assertThat(log.run(i)).isBetween(1000L, log.requestedTime(i));
                assertThat(log.requestedTime(i)).isLessThanOrEqualTo((long) (f.limitHours() * 3_600_000));
                assertThat(log.user(i)).isBetween(1, f.users());
                assertThat(log.submit(i)).isGreaterThanOrEqualTo(last);
                last = log.submit(i);
            }
        }
    }

    /** The published log was written by the authors' program: 10,000 jobs for 256 nodes. */
    @Test
    void thePublishedModelMatchesALogOfItsAuthors() {
        SwfLog published = SwfReader.strict().read(Source.of(Shared.path("data/workloads/lublin_256.swf.gz")));
        SwfLog generated = published(256).generate(5, 100_000);
        compare("serial", published, generated, 0.02, (l, i) -> l.procs(i) == 1 ? 1 : 0);
        compare("power of two", published, generated, 0.03, (l, i) -> Integer.bitCount(l.procs(i)) == 1 ? 1 : 0);
        compare("log2 of size", published, generated, 0.06, (l, i) -> JobSizes.log2(l.procs(i)));
        compare(
                "ln of run time",
                published,
                generated,
                0.15,
                (l, i) -> StrictMath.log(Math.max(1000, l.run(i)) / 1000.0));
        compare("longer than 2000 s", published, generated, 0.03, (l, i) -> l.run(i) > 2_000_000 ? 1 : 0);
        compare("wide and long", published, generated, 0.02, (l, i) -> l.run(i) > 2_000_000 && l.procs(i) > 16 ? 1 : 0);
        compare("ln of gap", published, generated, 0.15, (l, i) -> i == 0 ? 5 : StrictMath.log(1 + gapSeconds(l, i)));
        compare("afternoon", published, generated, 0.03, (l, i) -> hour(l, i) >= 12 && hour(l, i) < 18 ? 1 : 0);
        compare("night", published, generated, 0.03, (l, i) -> hour(l, i) < 6 ? 1 : 0);
    }

    private interface Feature {
        double of(SwfLog log, int job);
    }

    private static void compare(String name, SwfLog published, SwfLog generated, double tolerance, Feature feature) {
        double expected = mean(published.size(), i -> feature.of(published, i));
        double actual = mean(generated.size(), i -> feature.of(generated, i));
        System.out.printf(Locale.ROOT, "%-20s theirs %.4f ours %.4f%n", name, expected, actual);
        assertThat(actual).as(name).isCloseTo(expected, within(tolerance));
    }

    private static double mean(int n, IntToDoubleFunction value) {
        return IntStream.range(0, n).mapToDouble(value).average().orElseThrow();
    }

    private static double gapSeconds(SwfLog log, int job) {
        return (log.submit(job) - log.submit(job - 1)) / 1000.0;
    }

    private static long hour(SwfLog log, int job) {
        return log.submit(job) / 3_600_000 % 24;
    }

    @Test
    void sizesHaveTheirComputedProbabilities() {
        JobSizes sizes = new JobSizes(100, 0.25, 0.5, 0.8, 4, JobSizes.log2(100), 0.86);
        double[] p = sizes.probabilities();
        assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-12));
        RandomStream random = new RandomStream(11);
        int n = 400_000;
        int[] count = new int[101];
        for (int i = 0; i < n; i++) {
            count[sizes.sample(random)]++;
        }
        for (int size = 1; size <= 100; size++) {
            // Five standard deviations of a binomial count.
            double spread = 5 * Math.sqrt(p[size] * (1 - p[size]) / n) + 1e-6;
            assertThat((double) count[size] / n).as("size " + size).isCloseTo(p[size], within(spread));
        }
    }

    @Test
    void theMeanOfATruncatedLogGammaMatchesItsSamples() {
        RandomStream random = new RandomStream(12);
        for (LogGamma law :
                new LogGamma[] {new LogGamma(4.2, 0.94, 1, StrictMath.exp(12)), new LogGamma(312, 0.03, 2, 1e5)}) {
            double sum = 0;
            int n = 300_000;
            for (int i = 0; i < n; i++) {
                double value = law.sample(random);
                assertThat(value).isLessThanOrEqualTo(law.max());
                sum += value;
            }
            assertThat(law.mean()).isCloseTo(sum / n, Percentage.withPercentage(3));
        }
    }

    @Test
    void theMeanOfUserEstimatesMatchesTheirSamples() {
        RandomStream random = new RandomStream(13);
        UserEstimates estimates = new UserEstimates(2.4, 100_000);
        for (double run : new double[] {1, 59, 60, 5000, 90_000, 100_000}) {
            double sum = 0;
            int n = 100_000;
            for (int i = 0; i < n; i++) {
                double request = estimates.sample(run, random);
                assertThat(request).isBetween(run, 100_000.0);
                sum += request;
            }
            assertThat(estimates.mean(run)).isCloseTo(sum / n, Percentage.withPercentage(5));
        }
        UserEstimates exact = new UserEstimates(0, 100_000);
        assertThat(exact.sample(61, random)).as("rounded up").isEqualTo(120);
        assertThat(exact.mean(61)).isEqualTo(120);
    }

    @Test
    void arrivalsFollowADailyRhythm() {
        double[] pace = DailyArrivals.pace(WorkloadModel.RHYTHM_SHAPE, WorkloadModel.RHYTHM_SCALE);
        assertThat(Arrays.stream(pace).average().orElseThrow()).isCloseTo(1, within(1e-12));
        int busiest = IntStream.range(0, 48).reduce(0, (a, b) -> pace[a] >= pace[b] ? a : b);
        int calmest = IntStream.range(0, 48).reduce(0, (a, b) -> pace[a] <= pace[b] ? a : b);
        assertThat(busiest / 2).as("hour").isBetween(13, 15);
        assertThat(calmest / 2).as("hour").isBetween(4, 6);
    }

    /** Over the header and every field of every job. */
    private static long checksum(SwfLog log) {
        StringBuilder text = new StringBuilder(log.header().entries().stream()
                .map(entry -> " " + entry.key() + ": " + entry.value())
                .collect(Collectors.joining("\n")));
        for (int i = 0; i < log.size(); i++) {
            for (SwfField field : SwfField.values()) {
                text.append(' ').append(log.value(field, i));
            }
        }
        CRC32 crc = new CRC32();
        crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    /** The model with the published constants for a machine of this size. */
    private static WorkloadModel published(int nodes) {
        double longestRun = StrictMath.exp(12);
        double high = JobSizes.log2(nodes);
        double medium = Math.max(WorkloadModel.LOW, high - 2.5);
        JobSizes sizes = new JobSizes(
                nodes,
                0.244,
                0.576,
                WorkloadModel.LOW,
                medium,
                Math.max(WorkloadModel.LOW, high),
                WorkloadModel.LOW_SHARE);
        RunTimeModel times = new RunTimeModel(
                new LogGamma(WorkloadModel.SHORT_SHAPE, WorkloadModel.SHORT_SCALE, 1, longestRun),
                new LogGamma(WorkloadModel.LONG_SHAPE, WorkloadModel.LONG_SCALE, 1, longestRun),
                -0.0054,
                0.78);
        LogGamma gaps = new LogGamma(WorkloadModel.GAP_SHAPE, WorkloadModel.GAP_SCALE, 1, WorkloadModel.LONGEST_GAP);
        return new WorkloadModel(
                "lublin", nodes, sizes, times, gaps, new UserEstimates(2.4, StrictMath.ceil(longestRun)), 100);
    }
}
