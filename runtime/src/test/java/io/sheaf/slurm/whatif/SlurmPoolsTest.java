package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.RecordedSlurm;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pools are read from recorded output of Slurm. */
class SlurmPoolsTest {
    private static final String OPEN = " State=UP AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL MaxNodes=UNLIMITED";

    @TempDir
    Path folder = Path.of("");

    @BeforeEach
    void slurm() throws Exception {
        RecordedSlurm slurm = new RecordedSlurm(folder);
        String partitions = String.join(
                "\n",
                "PartitionName=main Default=YES MaxTime=1-00:00:00 PriorityTier=10 TRESBillingWeights=CPU=1.0" + OPEN,
                "PartitionName=short MaxTime=04:00:00 QoS=few TRESBillingWeights=CPU=0.5,Mem=0.25G" + OPEN,
                "PartitionName=theirs MaxTime=UNLIMITED State=UP AllowGroups=ALL AllowAccounts=chemistry",
                "PartitionName=ours MaxTime=UNLIMITED TRESBillingWeights=CPU=2 State=UP AllowGroups=lab AllowAccounts=physics,x",
                "PartitionName=gpu MaxTime=UNLIMITED" + OPEN,
                "PartitionName=thin MaxTime=UNLIMITED" + OPEN,
                "PartitionName=scavenge MaxTime=UNLIMITED PreemptMode=REQUEUE TRESBillingWeights=CPU=0.25" + OPEN,
                "PartitionName=paused MaxTime=UNLIMITED PreemptMode=GANG,SUSPEND" + OPEN,
                "PartitionName=hidden MaxTime=UNLIMITED Hidden=YES" + OPEN);
        slurm.does("scontrol", "cat <<'END'\n" + partitions + "\nEND");
        StringBuilder nodes = new StringBuilder();
        for (String each : List.of(
                "main*|n[1-4]", "short|n[3-6]", "ours|n[7-8]", "gpu|g[1-2]", "thin|t1", "scavenge|n1", "paused|n2")) {
            String[] part = each.split("\\|");
            nodes.append(Texts.columns(part[0] + "|up|infinite|idle|4|NO|(null)|" + part[1] + "\n"));
        }
        slurm.does("sinfo", "cat <<'END'\n" + nodes + "END");
        slurm.does(
                "sacctmgr",
                "case \"$*\" in *format=Account) echo physics;; *qos*) echo 'few|2|3||02:00:00|||cpu=9,node=3|';"
                        + " echo 'long|||||||'; echo 'normal||||12:00:00||||';; *) echo '|||||||normal|normal,long';; esac");
        slurm.does("id", "echo users lab");
    }

    private Pools read(List<String> options, Map<String, Double> prices) throws Exception {
        return new SlurmPools(
                        SlurmCommands.runner(folder, Reach.here(Map.of("PATH", System.getenv("PATH"))), 60_000), "me")
                .read(
                        Submissions.of(options, Map.of(), 0),
                        SlurmPoolsTest::nodes,
                        Map.of(),
                        partition -> 7_000,
                        prices);
    }

    /** Nodes of 4 cores and 16 GiB. */
    private static Nodes nodes(String partition) {
        int gpus = partition.equals("gpu") ? 2 : 0;
        return new Nodes(4, partition.equals("thin") ? 2 : 4, 16L << 30, gpus, NamedAmounts.NONE);
    }

    @Test
    void poolsAreSuitablePartitionsThatTheUserMayUse() throws Exception {
        Pools pools = read(List.of(), Map.of());
        assertThat(pools.all().stream().map(Pool::name)).containsExactly("main", "short", "ours", "scavenge");
        assertThat(pools.nodes()).as("n3 and n4 are shared").isEqualTo(8);
        Pool narrow = pools.pool(2);
        assertThat(narrow.limits().walltime()).as("of its QOS").isEqualTo(2 * 3_600_000);
        assertThat(narrow.limits().units()).as("9 cores").isEqualTo(2);
        assertThat(narrow.jobs()).isEqualTo(3);
        assertThat(pools.pool(1).limits().walltime()).as("of the default QOS").isEqualTo(12 * 3_600_000);
        // A node: 4 × 1, 4 × 0.5 + 16 × 0.25, 4 × 2 and 4 × 0.25.
        assertThat(pools.all().stream().map(Pool::price)).containsExactly(1.0, 1.5, 2.0, 0.25);
        assertThat(Pool.parse(narrow.text(), Integer.MAX_VALUE)).isEqualTo(narrow);
    }

    @Test
    void namedPartitionsAndQosBecomePools() throws Exception {
        assertThat(read(List.of("--partition=gpu,main"), Map.of()).all().stream()
                        .map(Pool::name))
                .containsExactly("main", "gpu");
        assertThat(read(List.of("--partition=main"), Map.of()).count())
                .as("a single partition needs no pools")
                .isZero();
        assertThat(read(List.of("--reservation=r"), Map.of()).count()).isZero();
        assertThat(read(List.of("--partition=main", "--qos=normal,long"), Map.of()).all().stream()
                        .map(Pool::name))
                .containsExactly("main/normal", "main/long");
        Pools pools = Pools.parse("main/long=1-2+main=1-2+main/long:8c-6G=2-2,cores=8,mem=6G", 2);
        assertThat(SlurmPools.words(pools, 1)).containsExactly("--partition=main", "--qos=long");
        assertThat(SlurmPools.words(pools, 2)).containsExactly("--partition=main");
        assertThat(SlurmPools.words(pools, 3)).containsExactly("--partition=main", "--qos=long");
        assertThat(SlurmPools.words(pools, Pools.ANY)).isEmpty();
    }

    /** Of four nodes of a partition one has twice the cores, another eight GPUs; the rest differ by a MiB of memory. */
    @Test
    void eachClassOfUnequalNodesHasAPool() throws Exception {
        Map<String, Resources> hosts = Map.of(
                "n1", HostResources.of(4, 16384, ""),
                "n2", HostResources.of(4, 16385, ""),
                "n3", HostResources.of(8, 16384, ""),
                "n4", HostResources.of(4, 16384, "gpu:a100:8"));
        Pools pools = new SlurmPools(
                        SlurmCommands.runner(folder, Reach.here(Map.of("PATH", System.getenv("PATH"))), 60_000), "me")
                .read(
                        Submissions.of(List.of("--partition=main"), Map.of(), 0),
                        SlurmPoolsTest::nodes,
                        hosts,
                        partition -> 7_000,
                        Map.of());
        assertThat(pools.all().stream().map(Pool::name))
                .containsExactly("main", "main:4c-16128M-a100:8", "main:8c-16128M");
        assertThat(pools.all().stream().map(Pool::size)).containsExactly(4, 1, 1);
        assertThat(pools.all().stream().map(Pool::price)).containsExactly(1.0, 1.0, 2.0);
        assertThat(pools.nodes()).isEqualTo(4);
        for (Pool pool : pools.all()) {
            assertThat(Pool.parse(pool.text(), Integer.MAX_VALUE)).isEqualTo(pool);
        }
    }

    /** Jobs of main, of a higher tier, may take n1 from a job of scavenge. */
    @Test
    void preemptiblePartitionsHaveTheLearntTime() throws Exception {
        Pools pools = read(List.of("--partition=main,scavenge,short"), Map.of());
        assertThat(pools.all().stream().map(pool -> pool.name() + " " + pool.isPreemptible()))
                .containsExactly("main false", "short false", "scavenge true");
        assertThat(pools.pool(3).preempted()).isEqualTo(7_000);
        assertThat(Pool.parse(pools.pool(3).text(), Integer.MAX_VALUE).preempted())
                .isEqualTo(7_000);
    }

    /** With {@code preempt/qos}, jobs of QOS normal may be preempted by those of long; tiers of partitions do not matter. */
    @Test
    void poolsOfPreemptibleQosAreMarked() throws Exception {
        RecordedSlurm slurm = new RecordedSlurm(folder);
        slurm.does("scontrol", """
                case "$*" in *config*) echo 'PreemptType = preempt/qos'; echo 'PreemptMode = REQUEUE';;
                *) echo 'PartitionName=main Default=YES PriorityTier=10%1$s'; echo 'PartitionName=scavenge PreemptMode=REQUEUE%1$s';; esac
                """.formatted(OPEN));
        slurm.does("sacctmgr", """
                case "$*" in *Preempt*) echo 'normal||cluster|00:00:00'; echo 'long|normal|cluster|00:00:00';;
                *format=Account) echo physics;; *qos*) echo 'normal||||||||'; echo 'long||||||||';; *) echo '|||||||normal|normal,long';; esac
                """);
        assertThat(read(List.of("--partition=main,scavenge", "--qos=normal,long"), Map.of()).all().stream()
                        .map(pool -> pool.name() + " " + pool.isPreemptible()))
                .containsExactly("main/normal true", "main/long false", "scavenge/normal true", "scavenge/long false");
    }

    /** Main 4 × 1, gpu 4 and thin 2 cores. */
    @Test
    void withoutWeightsCoresHaveAPrice() throws Exception {
        assertThat(read(List.of("--partition=main,gpu,thin"), Map.of()).all().stream()
                        .map(Pool::price))
                .containsExactly(2.0, 2.0, 1.0);
    }

    @Test
    void pricesOfTheSiteReplaceBillingWeights() throws Exception {
        assertThat(read(List.of(), Map.of("short", 3.0)).all().stream().map(Pool::price))
                .containsExactly(1.0, 3.0, 1.0, 1.0);
    }
}
