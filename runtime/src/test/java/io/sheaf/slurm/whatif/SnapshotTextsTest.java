package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Output of Slurm 22.05 is parsed, and damaged output is reported. */
class SnapshotTextsTest {
    private static final String QUEUE = """
            7|7_[2-20%3]|PENDING|4294901753|main|1|1|NO|2:00|1794741038|1794741158|Priority|(null)|(null)||(null)|root||N/A|(null)|normal|name
            9|9|PENDING|4294901752|main|2|2|OK|1:00|N/A|N/A|Dependency|afterok:1(unfulfilled)|(null)||(null)|root||N/A|(null)|normal|name
            10|10|PENDING|4294901751|main|8|8|OK|UNLIMITED|1794743977|NONE|BeginTime|(null)|(null)||(null)|root||N/A|(null)|normal|name
            8|8|PENDING|0|main|2|2|OK|1:00|N/A|N/A|JobHeldUser|(null)|(null)||(null)|root||N/A|(null)|normal|name
            1|1|RUNNING|4294901759|main|3|3|OK|5:00|1794740378|1794740678|None|(null)|(null)||(null)|root|n[1-3]|N/A|(null)|normal|name
            11|7_1|RUNNING|4294901753|main|1|2|NO|2:00|1794740378|1794740498|None|(null)|(null)||(null)|root|n7|N/A|(null)|normal|name
            6|6|PENDING|4294901754|main,short|2|2|NO|1-03:00:00|1794740678|1794740858|Priority|(null)|a|b||(null)|root||gpu:1|(null)|normal|name
            """;

    @Test
    void jobsOfTheQueueAreParsed() {
        String queue = Texts.columns(QUEUE).replace("a" + Columns.BETWEEN + "b", "a|b");
        Columns.Read<SlurmJob> read = SlurmJob.read(queue);
        assertThat(read.problems()).isEmpty();
        List<SlurmJob> jobs = read.rows();
        assertThat(jobs).hasSize(7);
        SlurmJob array = jobs.get(0);
        assertThat(array.tasks()).isEqualTo(19);
        assertThat(array.tasksAtOnce()).isEqualTo(3);
        assertThat(array.wholeNodes()).isTrue();
        assertThat(array.limit()).isEqualTo(120_000);
        assertThat(jobs.get(1).dependency()).isEqualTo("afterok:1(unfulfilled)");
        assertThat(jobs.get(2).limit()).isEqualTo(Limit.UNLIMITED);
        assertThat(jobs.get(2).start()).isEqualTo(1_794_743_977_000L);
        assertThat(jobs.get(2).end()).isEqualTo(Limit.UNKNOWN);
        assertThat(jobs.get(3).isHeld()).isTrue();
        assertThat(jobs.get(4).hosts()).containsExactly("n1", "n2", "n3");
        assertThat(jobs.get(4).end()).isEqualTo(1_794_740_678_000L);
        assertThat(jobs.get(5).array()).isEqualTo(7);
        assertThat(jobs.get(6).partitions()).containsExactly("main", "short");
        assertThat(jobs.get(6).limit()).isEqualTo(27 * 3_600_000L);
        assertThat(SlurmJob.conjunction(jobs.get(6).features())).isNull();
        assertThat(jobs.get(6).extras()).isEqualTo("gpu:1");
    }

    @Test
    void garbageIsReportedAndOtherLinesAreRead() {
        String garbage = "slurm_load_jobs error: Unable to contact slurm controller\n"
                + Texts.columns(
                        "x|x|PENDING|1|main|1|1|NO|1:00|N/A|N/A|Priority|(null)|(null)||(null)|me||N/A|(null)|normal|name\n")
                + Texts.columns(
                        "3|3|PENDING|1|main|1|1|NO|soon|N/A|N/A|Priority|(null)|(null)||(null)|me||N/A|(null)|normal|name\n")
                + Texts.columns(
                        "4|4|SLEEPING|1|main|1|1|NO|1:00|N/A|N/A|Priority|(null)|(null)||(null)|me||N/A|(null)|normal|name\n")
                + Texts.columns(
                        "5|5|PENDING|1|main|1|1|NO|1:00|N/A|N/A|Priority|(null)|(null)||(null)|me||N/A|(null)|normal|name\n");
        Columns.Read<SlurmJob> read = SlurmJob.read(garbage);
        assertThat(read.rows()).hasSize(1);
        assertThat(read.lost()).isEqualTo(4);
        assertThat(read.problems()).hasSize(4);
        assertThat(read.problems().get(0)).contains("1 columns instead of 22").contains("Unable to contact");
        assertThat(read.problems().get(2)).contains("'soon' is not a time");
        assertThat(read.problems().get(3)).contains("4 lines in total");
    }

    @Test
    void nodesAndTheirStatesAreParsed() {
        Columns.Read<SlurmNodes> read = SlurmNodes.read(Texts.columns("""
                short|up|1:00:00|allocated|2|NO|(null)|n[1-4]
                main*|up|infinite|drained|2|NO|(null)|n8
                main*|up|infinite|idle~|2|NO|big,fast|n[5-6]
                main*|up|infinite|mixed*|2|NO|(null)|n9
                main*|up|infinite|maint|2|NO|(null)|n10
                main*|up|infinite|idle-|2|EXCLUSIVE|(null)|n11
                off|down|infinite|something_new|2|NO|(null)|n12
                """));
        assertThat(read.problems()).isEmpty();
        assertThat(read.rows().stream().map(SlurmNodes::use))
                .containsExactly(
                        SlurmNodes.Use.ALLOCATED,
                        SlurmNodes.Use.OUT,
                        SlurmNodes.Use.FREE,
                        SlurmNodes.Use.OUT,
                        SlurmNodes.Use.RESERVED,
                        SlurmNodes.Use.FREE,
                        SlurmNodes.Use.OUT);
        assertThat(read.rows().get(0).limit()).isEqualTo(3_600_000);
        assertThat(read.rows().get(1).isDefault()).isTrue();
        assertThat(read.rows().get(2).features()).isEqualTo(Set.of("big", "fast"));
        assertThat(read.rows().get(5).wholeNodes()).isTrue();
        assertThat(read.rows().get(6).isUp()).isFalse();
    }

    @Test
    void hostListsAreExpanded() {
        assertThat(HostList.expand("n[1-3,7],gpu[09-11]x,login"))
                .containsExactly("n1", "n2", "n3", "n7", "gpu09x", "gpu10x", "gpu11x", "login");
        assertThat(HostList.expand("r[1-2]n[1-2]")).containsExactly("r1n1", "r1n2", "r2n1", "r2n2");
        assertThat(HostList.expand("(null)")).isEmpty();
        for (String bad : List.of("n[1", "n]1[", "n[2-1]", "n[a-b]", "n[1-999999999]", "n1,,n2", "n[[1]]")) {
            assertThatThrownBy(() -> HostList.expand(bad)).isInstanceOf(InputException.class);
        }
    }

    @Test
    void hostsAreSortedByTheirNumbers() {
        List<String> hosts = List.of("gpu", "gpu1", "n9", "n010x", "n10", "n10x", "n11", "r2n1", "r2n10", "r10n2");
        List<String> mixed = new ArrayList<>(hosts);
        Collections.reverse(mixed);
        mixed.sort(HostList.ORDER);
        assertThat(mixed).containsExactlyElementsOf(hosts);
    }

    @Test
    void reservationsAndConfigurationAreParsed() {
        List<String> problems = new ArrayList<>();
        List<SlurmSnapshot.Reservation> reservations = Scontrol.reservations(
                "ReservationName=maint StartTime=1794747577 EndTime=1794751177 Duration=01:00:00 Nodes=n[5-8] NodeCnt=4"
                        + " Flags=MAINT,SPEC_NODES Users=root\nReservationName=odd StartTime=soon Nodes=n1\nNo reservations\n",
                problems);
        assertThat(reservations)
                .containsExactly(new SlurmSnapshot.Reservation(
                        "maint", 1_794_747_577_000L, 1_794_751_177_000L, List.of("n5", "n6", "n7", "n8")));
        assertThat(problems).hasSize(1);
        Map<String, String> config = Scontrol.config(
                "PrivateData             = jobs,usage\nSchedulerParameters     = bf_max_job_test=50,bf_continue\n");
        SlurmSnapshot snapshot = Texts.snapshot("", "", "", config);
        assertThat(snapshot.hidesJobs()).isTrue();
        assertThat(snapshot.schedulerNumber("bf_max_job_test", 500)).isEqualTo(50);
        assertThat(snapshot.schedulerNumber("bf_window", 7)).isEqualTo(7);
    }

    @Test
    void limitsOfTheUserAreParsed() {
        OwnLimits association = OwnLimits.ofAssociations("4|10||2:00:00|||node=8||normal,long\n||||||||\n");
        assertThat(association).isEqualTo(OwnLimits.NONE);
        OwnLimits one = OwnLimits.ofAssociations("4|10|node=6|2:00:00|||node=8||normal,long\n");
        assertThat(one).isEqualTo(Texts.limits(4, 10, 8, 6, 7_200_000));
        OwnLimits quality = OwnLimits.ofQuality("normal|2||node=5|||||cpu=8,node=3\nlong||||||||\n", "normal");
        assertThat(one.tightest(quality))
                .isEqualTo(new OwnLimits(
                        2,
                        10,
                        new OwnLimits.Tres(3, 8),
                        new OwnLimits.Tres(5, Long.MAX_VALUE),
                        7_200_000,
                        OwnLimits.Tres.NONE,
                        OwnLimits.Tres.NONE));
        assertThat(OwnLimits.ofQuality("garbage\n", "normal")).isEqualTo(OwnLimits.NONE);
    }

    /** As sacctmgr of Slurm 22.05.8 prints them. */
    @Test
    void limitsOfCoresAndMinutesBecomeNodeLimits() {
        OwnLimits association = OwnLimits.ofAssociations("||cpu=100||||||normal|cpu=960|node=90\n");
        OwnLimits quality = OwnLimits.ofQuality("normal||||||||cpu=64,node=9||cpu=600|cpu=50|cpu=4000|\n", "normal");
        OwnLimits both = association.tightest(quality);
        // Of 16 cores: 50 / 16 = 3 nodes in use, 100 / 16 = 6 of a job.
        assertThat(both.nodes(16)).isEqualTo(3);
        assertThat(association.nodes(16)).isEqualTo(6);
        // 960 / 16 = 60 node-minutes of a job, 600 / 16 = 37 of running ones; on one core 90, as nodes are limited too.
        assertThat(both.nodeTime(16)).isEqualTo(37 * 60_000);
        assertThat(both.nodeTime(1)).isEqualTo(90 * 60_000);
        assertThat(both.texts())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "nodes in use", "9",
                        "cores in use", "50",
                        "cores of a job", "100",
                        "core-minutes of a job", "960",
                        "node-minutes of running jobs", "90",
                        "core-minutes of running jobs", "600"));
        both.check(50);
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> both.check(51))
                .withMessage("your account or QOS allows at most 50 cores in use, so no node of 51 cores."
                        + " Use fewer cores of a node (--cores-per-node), or another QOS (--qos)");
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> OwnLimits.ofAssociations("|||||||||cpu=3|\n").check(4))
                .withMessageStartingWith(
                        "your account or QOS allows at most 3 core-minutes of a job, so no node of 4 cores for a minute.");
    }

    /** Slurm uses the association's default QOS, the only one, or normal; not the first of several. */
    @Test
    void theQosIsTheNamedOneOrTheDefault() {
        assertThat(OwnLimits.quality("||||||||debug,normal\n")).isEqualTo("normal");
        assertThat(OwnLimits.quality("|||||||long|debug,long\n")).isEqualTo("long");
        assertThat(OwnLimits.quality("||||||||only\n")).isEqualTo("only");
        assertThat(OwnLimits.quality("")).isEqualTo("normal");
        assertThat(List.of("--qos=debug", "-q debug")).allSatisfy(each -> assertThat(
                        Submissions.of(List.of(each.split(" ")), Map.of(), 0).quality())
                .isEqualTo("debug"));
        assertThat(Submissions.of(List.of(), Map.of("SBATCH_QOS", "long"), 0).quality())
                .isEqualTo("long");
    }
}
