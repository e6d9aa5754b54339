package io.sheaf.app.report;

import io.sheaf.agent.protocol.Usage;
import io.sheaf.app.config.Configuration;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.text.DecimalText;
import io.sheaf.workflow.Resources;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of the energy of a run: the power of its allocated nodes and of its busy cores over time. Nothing is measured but times.
 *
 * <p>Busy cores count by the processor time of their processes where it was measured, else as allocated. GPUs, network and cooling are not
 * included.
 *
 * @param nodeWatts the power of an idle node
 * @param coreWatts the additional power of a busy core
 */
public record EnergyEstimate(double nodeWatts, double coreWatts, double kilowattHours) {
    private static final double MILLIS_PER_KWH = 3_600_000.0 * 1_000;

    /** The estimate for a run; null if no power is configured. */
    public static @Nullable EnergyEstimate of(
            RunRecord record, List<AttemptResult> results, Configuration configuration) {
        double node = Double.parseDouble(configuration.get("power-node"));
        double core = Double.parseDouble(configuration.get("power-core"));
        return node == 0 && core == 0
                ? null
                : new EnergyEstimate(
                        node,
                        core,
                        (node * record.allocatedNodeMillis() + core * busyCoreMillis(record, results))
                                / MILLIS_PER_KWH);
    }

    private static double busyCoreMillis(RunRecord record, List<AttemptResult> results) {
        Map<List<Long>, Deque<Usage>> reports = new HashMap<>();
        for (AttemptResult each : results) {
            reports.computeIfAbsent(
                            List.of((long) each.message().attempt().task(), each.token(), (long) each.node()),
                            key -> new ArrayDeque<>())
                    .add(each.message().usage());
        }
        double millis = 0;
        for (AttemptRecord each : record.attempts()) {
            Deque<Usage> own = reports.get(List.of((long) each.task(), each.token(), (long) each.node()));
            Usage usage = own == null ? null : own.poll();
            Resources needs = each.needs();
            // An agent measures its own node only.
            if (usage != null && usage.cpuMillis() != Usage.UNKNOWN && needs.nodes() == 1) {
                millis += usage.cpuMillis();
            } else {
                millis += cores(needs) * (each.ended() - each.started());
            }
        }
        return millis;
    }

    /** The allocated cores on all nodes; less than one for a share of a core. */
    static double cores(Resources needs) {
        return needs.isShare() ? needs.share() / (double) Resources.CORE : (double) needs.cores() * needs.nodes();
    }

    /** For people, with the power that it assumes. */
    public String text() {
        return DecimalText.fixed(kilowattHours, kilowattHours >= 1 ? 1 : 6) + " kWh at "
                + DecimalText.fixed(nodeWatts, 0) + " W per node and " + DecimalText.fixed(coreWatts, 1)
                + " W per busy core";
    }
}
