package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.predict.StartTimes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlurmPriorityTest {
    /** Printed by {@code sshare -a -n -P} of Slurm 22.05. */
    private static final String SHARES = """
            root|||107|
             root|root|1|0|1.000000
             bio||10|0|
              bio|nobody|1|0|1.000000
             physics||30|107|
              physics|daemon|1|0|0.600000
              optics||5|107|
               optics|games|parent|0|0.400000
               optics|root|2|107|0.200000
            """;

    private static final Map<String, String> CONFIG = Map.of(
            "PriorityType", "priority/multifactor",
            "PriorityWeightAge", "1000",
            "PriorityMaxAge", "1-00:00:00",
            "PriorityWeightFairShare", "10000",
            "PriorityWeightJobSize", "500",
            "PriorityFavorSmall", "Yes",
            "PriorityWeightPartition", "200",
            "PriorityWeightQOS", "300",
            "PriorityFlags", "",
            "PriorityWeightTRES", "(null)");

    private static final SlurmSnapshot SNAPSHOT = Texts.snapshot("", "main*|up|infinite|idle|1|NO|(null)|n[1-8]\n");

    private static SlurmPriority priority(Map<String, String> config, String account) {
        return new SlurmPriority(
                config,
                Map.of("main", 5, "fast", 10),
                Map.of("normal", 0L, "high", 50L),
                "normal",
                8,
                8,
                SlurmShares.read(SHARES, "root", account));
    }

    private static Submissions submissions(String... options) {
        return Submissions.of(List.of(options), Map.of(), 1);
    }

    @Test
    void theFairShareFactorIsRead() {
        assertThat(SlurmShares.read(SHARES, "root", "optics").factor()).isEqualTo(0.2);
        assertThat(SlurmShares.read(SHARES, "root", "root").factor()).isEqualTo(1);
        assertThat(SlurmShares.read(SHARES, "root", "").factor())
                .as("two accounts")
                .isNaN();
        assertThat(SlurmShares.read(SHARES, "nobody", "").factor()).isEqualTo(1);
        assertThat(SlurmShares.read("", "root", "").factor()).isNaN();
        assertThat(SlurmShares.read("garbage\na|b|c|d|e\n", "b", "").factor()).isNaN();
    }

    /** 0.2 × 10000 + 500 × (1 − 4/8) + 200 × 5/10, as sprio printed: 2000, 250, 100. */
    @Test
    void thePriorityOfANewJobIsTheSumOfItsFactors() {
        SlurmPriority ours = priority(CONFIG, "optics");
        assertThat(ours.isKnown()).isTrue();
        assertThat(ours.of(SNAPSHOT, submissions("--partition=main"), 4)).isEqualTo(2350);
        assertThat(ours.of(SNAPSHOT, submissions(), 4))
                .as("the default partition")
                .isEqualTo(2350);
        assertThat(ours.of(SNAPSHOT, submissions("--partition=fast", "--qos=high"), 8))
                .isEqualTo(2000 + 0 + 200 + 300);
        assertThat(ours.of(SNAPSHOT, submissions("--nice=50"), 4)).isEqualTo(2300);
        assertThat(ours.of(SNAPSHOT, submissions("--nice=99999"), 4)).isEqualTo(1);
    }

    /** The account physics uses everything, so another second of optics changes nothing; bio, now first with root, would be last but for physics. */
    @Test
    void moreUsageLowersTheFactor() {
        SlurmShares newUser = SlurmShares.read(SHARES, "nobody", "");
        assertThat(newUser.factorWith(0)).isCloseTo(1, within(1e-9));
        // bio: 10/41 of the shares; of 1107 used, 1000: level 0.27; physics 0.73 / (107/1107) = 7.6 is before it.
        assertThat(newUser.factorWith(1000)).isCloseTo(0.2, within(1e-9));
        // 10 of 117 used: level 2.85; physics has 0.73 / (107/117) = 0.8.
        assertThat(newUser.factorWith(10)).isCloseTo(0.8, within(1e-9));
        String partial = SHARES.replaceAll("(?m)^ physics.*\n", "");
        assertThat(SlurmShares.read(partial.replace("1.000000", "0.500000"), "nobody", "")
                        .factorWith(10))
                .as("visible shares do not explain the factor")
                .isNaN();
        assertThat(priority(CONFIG, "optics").waitEquivalent(0.05))
                .as("500 points; a day is 1000")
                .isEqualTo(86_400_000L / 2);
        assertThat(priority(CONFIG, "optics").waitEquivalent(0.2)).isEqualTo(StartTimes.NEVER);
    }

    @Test
    void unknownFactorsAreNamed() {
        SlurmPriority none = new SlurmPriority(CONFIG, Map.of(), Map.of(), "", 8, 8, SlurmShares.UNKNOWN);
        assertThat(none.isKnown()).isFalse();
        assertThat(none.unknown()).containsExactly("your fair-share factor (sshare)", "the factors of QOS (sacctmgr)");
        Map<String, String> more = new HashMap<>(CONFIG);
        more.put("PriorityWeightTRES", "CPU=1000");
        more.put("PriorityFlags", "SMALL_RELATIVE_TO_TIME,ACCRUE_ALWAYS");
        assertThat(priority(more, "optics").unknown())
                .containsExactly("the size factor relative to time", "the factors of TRES");
        assertThat(SlurmPriority.BASIC.isUsed()).isFalse();
    }

    /** Two jobs of other users with 2,300 and 2,400 wait; an own job of 4 nodes has 2,350, of 8 nodes 2,100. */
    @Test
    void jobsOfLowerPriorityAreBehindOurs() {
        SlurmSnapshot snapshot = Texts.counting(
                Texts.snapshot(
                        Texts.running(1, "n[1-8]", 600)
                                + Texts.waiting(2, 8, "10:00", "Priority", "(null)")
                                        .replace("|PENDING|99998|", "|PENDING|2300|")
                                + Texts.waiting(3, 8, "10:00", "Priority", "(null)")
                                        .replace("|PENDING|99997|", "|PENDING|2400|"),
                        "main*|up|infinite|allocated|1|NO|(null)|n[1-8]\n",
                        "",
                        CONFIG),
                SlurmMemory.UNCOUNTED,
                priority(CONFIG, "optics"));
        PriorityErrors none = new PriorityErrors(List.of());
        assertThat(SnapshotEstimator.where(snapshot, submissions(), 4, none, SnapshotEstimator.POINT)
                        .priority())
                .isEqualTo(2350);
        assertThat(new QueueModel(
                                snapshot,
                                SnapshotEstimator.where(snapshot, submissions(), 4, none, SnapshotEstimator.POINT))
                        .clusterState()
                        .queued())
                .isEqualTo(1);
        assertThat(new QueueModel(
                                snapshot,
                                SnapshotEstimator.where(snapshot, submissions(), 8, none, SnapshotEstimator.POINT))
                        .clusterState()
                        .queued())
                .isEqualTo(2);
        PriorityErrors learnt = new PriorityErrors(List.of(new StartRecords.StartRecord(
                "a", 0, 1, 1, 1, Map.of(PriorityErrors.PREDICTED, 100L, PriorityErrors.OBSERVED, 40L))));
        assertThat(SnapshotEstimator.where(snapshot, submissions(), 4, learnt, SnapshotEstimator.POINT)
                        .priority())
                .as("60 less than predicted, as the last time")
                .isEqualTo(2290);
        SlurmSnapshot unsure = Texts.counting(snapshot, SlurmMemory.UNCOUNTED, priority(CONFIG, ""));
        assertThat(SnapshotEstimator.where(unsure, submissions(), 4, none, SnapshotEstimator.POINT)
                        .priority())
                .isEqualTo(QueueModel.SubmissionTarget.LAST);
        assertThat(SnapshotEstimator.where(unsure, submissions(), 4, none, 0).priority())
                .isLessThan(1000);
        assertThat(SnapshotEstimator.where(unsure, submissions(), 4, none, 14).priority())
                .as("any factor")
                .isGreaterThan(9000);
    }
}
