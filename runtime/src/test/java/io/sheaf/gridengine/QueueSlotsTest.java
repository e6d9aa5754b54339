package io.sheaf.gridengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.SubmissionTerms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Number and size of the nodes that jobs may have, by queue and parallel environment. */
class QueueSlotsTest {
    private static final String QUEUES = """
            <job_info><queue_info>
              <Queue-List><name>all.q@n1</name><job_list state="running"><JB_job_number>7</JB_job_number><state>r</state></job_list>
                <slots_total>8</slots_total><arch>lx-amd64</arch></Queue-List>
              <Queue-List><name>all.q@n2</name><slots_total>4</slots_total><state>a</state></Queue-List>
              <Queue-List><name>all.q@n3</name><slots_total>99</slots_total><state>au</state></Queue-List>
              <Queue-List><name>big.q@n1</name><slots_total>16</slots_total></Queue-List>
            </queue_info><job_info></job_info></job_info>
            """;

    private static QueueSlots slots(String rule, String... options) {
        return QueueSlots.of(QUEUES, QsubOptions.of(List.of(options)), rule, 100);
    }

    @Test
    void nodesDependOnTheParallelEnvironment() {
        assertThat(slots("", "-q", "all.q").nodes()).isEqualTo(new Nodes(1, 1, 0));
        assertThat(slots("$fill_up", "-q", "all.q", "-pe", "mpi").nodes()).isEqualTo(new Nodes(12, 1, 0));
        assertThat(slots("$pe_slots", "-q", "all.q", "-pe", "smp").nodes()).isEqualTo(new Nodes(8, 1, 0));
        assertThat(slots("4", "-q", "all.q,big.q@n1", "-pe", "four").nodes()).isEqualTo(new Nodes(7, 4, 0));
        assertThat(QueueSlots.attribute("allocation_rule", "pe_name  any\nallocation_rule    $fill_up\n"))
                .isEqualTo("$fill_up");
    }

    @Test
    void theRunTimeLimitOfAQueueIsParsed() {
        assertThat(QueueSlots.runTime("qname all.q\ns_rt   INFINITY\nh_rt    24:00:00,[n1=48:00:00]\n"))
                .as("no common limit, since hosts differ")
                .isEqualTo(Long.MAX_VALUE);
        assertThat(QueueSlots.runTime("qname all.q\nh_rt    24:00:00\n")).isEqualTo(24L * 3_600_000);
        assertThat(QueueSlots.runTime("h_rt INFINITY\n")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void impossibleNodeShapesAreRefused() {
        slots("$pe_slots", "-q", "all.q", "-pe", "smp").check(2, 4);
        assertThatThrownBy(() -> slots("").check(2, 1)).hasMessageContaining("-pe mpi");
        assertThatThrownBy(() -> slots("4", "-pe", "four").check(2, 2))
                .hasMessageContaining("gives 4 slots on each host");
        assertThatThrownBy(() -> slots("$round_robin", "-pe", "mpi").check(2, 2))
                .hasMessageContaining("spreads slots over the hosts ($round_robin)");
        assertThatThrownBy(() -> slots("$pe_slots", "-q", "all.q", "-pe", "smp").check(3, 4))
                .hasMessageContaining("a job may have 2 nodes of 4 slots");
        assertThatThrownBy(() -> slots("", "-q", "no.q").nodes()).hasMessageContaining("no queue");
    }

    @Test
    void qsubOptionsAreParsedOrRefused() {
        List<String> words = GridEngineCommands.SYSTEM
                .words()
                .apply(new SubmissionTerms(
                        Map.of("partition", "long.q"),
                        List.of("-pe", "mpi", "-l", "mem_free=1G,arch=lx-amd64", "-p", "-10")));
        QsubOptions options = QsubOptions.of(words);
        assertThat(options.environment()).isEqualTo("mpi");
        assertThat(options.limits(60, List.of(), List.of())).isEqualTo("h_rt=60,mem_free=1G,arch=lx-amd64");
        assertThat(options.rest()).containsExactly("-q", "long.q", "-p", "-10");
        assertThatThrownBy(() -> QsubOptions.of(List.of("-pe", "mpi", "4"))).hasMessageContaining("remove the number");
        assertThatThrownBy(() -> QsubOptions.of(List.of("-l", "h_rt=60"))).hasMessageContaining("the strategy sets");
        assertThatThrownBy(() -> QsubOptions.of(List.of("-N", "x"))).hasMessageContaining("Sheaf sets this itself");
        assertThatThrownBy(() -> QsubOptions.of(List.of("-pe"))).hasMessageContaining("has no value");
        assertThatThrownBy(() ->
                        GridEngineCommands.SYSTEM.words().apply(new SubmissionTerms(Map.of("qos", "high"), List.of())))
                .hasMessageContaining("--qos: Grid Engine has no equivalent");
    }
}
