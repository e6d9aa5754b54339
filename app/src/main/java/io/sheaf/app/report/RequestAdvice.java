package io.sheaf.app.report;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.app.cli.Fields;
import io.sheaf.predict.MemoryUse;
import io.sheaf.runtime.recorded.Regret;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import io.sheaf.text.SizeText;
import io.sheaf.text.TimeText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The requested and used time, cores and memory of a category's successful tasks, with a suggestion for each.
 *
 * <p>A suggestion is the 95th percentile of what was used; time and memory get a quarter more, and cores are rounded up, at most those
 * requested. With fewer than {@link #MIN_ATTEMPTS} measured tasks there is none (0). Times are in milliseconds, memory in bytes; unknown values are
 * negative, and what was not requested is 0.
 *
 * @param tasks the number of tasks
 * @param requestedMillis the largest time limit or, without limits, expected run time
 * @param usedMillis the 95th percentile of run times
 * @param requestedCores the most cores of a task, in all its nodes
 * @param busyCores the mean number of busy cores
 * @param efficiency processor time as a share of the time of the allocated cores
 * @param usedMemory the 95th percentile of memory peaks
 */
public record RequestAdvice(
        String workflow,
        String category,
        int tasks,
        long requestedMillis,
        long usedMillis,
        long suggestedMillis,
        double requestedCores,
        double busyCores,
        double efficiency,
        int suggestedCores,
        long requestedMemory,
        long usedMemory,
        long suggestedMemory) {
    private static final int MIN_ATTEMPTS = 5;
    private static final int PERCENT = 100;
    private static final double MARGIN = 1.25;
    private static final long UNKNOWN = -1;
    private static final long MINUTE = 60_000;
    private static final long SECOND = 1_000;

    /** The columns of a table of one workflow. */
    static final Fields<RequestAdvice> COLUMNS = columns(new Fields<>());

    /** The columns of a table of several workflows. */
    public static final Fields<RequestAdvice> COLUMNS_BY_WORKFLOW =
            columns(new Fields<RequestAdvice>().text("workflow", "workflow", RequestAdvice::workflow));

    private static Fields<RequestAdvice> columns(Fields<RequestAdvice> first) {
        return first.left("category", each -> each.category.isEmpty() ? "-" : each.category)
                .field((out, each) -> out.field("category", each.category))
                .count("tasks", "tasks", RequestAdvice::tasks)
                .right("time requested", each -> time(each.requestedMillis))
                .right("used", each -> time(each.usedMillis))
                .right("suggested", each -> time(each.suggestedMillis))
                .right("cores requested", each -> cores(each.requestedCores))
                .right("busy", each -> cores(each.busyCores))
                .right("suggested", each -> each.suggestedCores == 0 ? "-" : Integer.toString(each.suggestedCores))
                .right("CPU efficiency", each -> each.efficiency < 0 ? "-" : Rounded.percent(each.efficiency))
                .right("memory requested", each -> size(each.requestedMemory))
                .right("used", each -> size(each.usedMemory))
                .right("suggested", each -> size(each.suggestedMemory))
                .time("requestedSeconds", RequestAdvice::requestedMillis)
                .time("usedSeconds", each -> Math.max(0, each.usedMillis))
                .time("suggestedSeconds", RequestAdvice::suggestedMillis)
                .decimal("requestedCores", 3, RequestAdvice::requestedCores)
                .decimal("busyCores", 3, each -> known(each.busyCores))
                .decimal("cpuEfficiency", 3, each -> known(each.efficiency))
                .count("suggestedCores", RequestAdvice::suggestedCores)
                .count("requestedMemoryBytes", RequestAdvice::requestedMemory)
                .count("usedMemoryBytes", each -> Math.max(0, each.usedMemory))
                .count("suggestedMemoryBytes", RequestAdvice::suggestedMemory);
    }

    /** The advice for each category with a task that succeeded, sorted by name. */
    public static List<RequestAdvice> of(String workflow, Collection<TaskFigures> tasks) {
        Map<String, List<TaskFigures>> byCategory = tasks.stream()
                .filter(each -> each.last() != null && each.last().outcome() == AttemptOutcome.SUCCEEDED)
                .collect(Collectors.groupingBy(TaskFigures::category, TreeMap::new, Collectors.toList()));
        return byCategory.entrySet().stream()
                .map(each -> of(workflow, each.getKey(), each.getValue()))
                .toList();
    }

    private static RequestAdvice of(String workflow, String category, List<TaskFigures> tasks) {
        double requested = max(tasks, RequestAdvice::allocated);
        double[] busy = known(tasks, RequestAdvice::busy);
        double[] peaks = known(tasks, each -> each.peakMemoryBytes() == 0 ? UNKNOWN : each.peakMemoryBytes());
        double[] times = known(tasks, TaskFigures::runMillis);
        List<Long> measured = Arrays.stream(peaks).mapToObj(each -> (long) each).toList();
        double used = 0;
        double allocated = 0;
        for (TaskFigures each : tasks) {
            if (busy(each) >= 0) {
                used += busy(each) * each.runMillis();
                allocated += allocated(each) * each.runMillis();
            }
        }
        return new RequestAdvice(
                workflow,
                category,
                tasks.size(),
                (long) max(tasks, each -> Math.max(0, each.requestedMillis())),
                (long) quantile(times),
                times.length < MIN_ATTEMPTS ? 0 : roundedUp(quantile(times) * MARGIN),
                requested,
                busy.length == 0 ? UNKNOWN : Arrays.stream(busy).average().orElse(UNKNOWN),
                allocated == 0 ? UNKNOWN : used / allocated,
                busy.length < MIN_ATTEMPTS
                        ? 0
                        : (int) Math.max(1, Math.min(Math.ceil(requested), Math.ceil(quantile(busy)))),
                (long) max(tasks, each -> each.requested().memory()),
                (long) quantile(peaks),
                MemoryUse.suggested(measured));
    }

    /** The busy cores of a task; unknown on several nodes, since an agent measures its own node. */
    private static double busy(TaskFigures task) {
        return task.requested().nodes() > 1 ? UNKNOWN : task.busyCores();
    }

    /** Allocated cores on all nodes; less than one for a share of a core. */
    private static double allocated(TaskFigures task) {
        return EnergyEstimate.cores(task.requested());
    }

    private static double max(List<TaskFigures> tasks, ToDoubleFunction<TaskFigures> value) {
        return tasks.stream().mapToDouble(value).max().orElse(0);
    }

    private static double[] known(List<TaskFigures> tasks, ToDoubleFunction<TaskFigures> value) {
        return tasks.stream()
                .mapToDouble(value)
                .filter(each -> each >= 0)
                .sorted()
                .toArray();
    }

    private static double quantile(double[] sorted) {
        int rank = (sorted.length * MemoryUse.QUANTILE + PERCENT - 1) / PERCENT;
        return sorted.length == 0 ? UNKNOWN : sorted[rank - 1];
    }

    /** To whole minutes, or to seconds below one. */
    private static long roundedUp(double millis) {
        long unit = millis < MINUTE ? SECOND : MINUTE;
        return (long) Math.ceil(millis / unit) * unit;
    }

    private static double known(double value) {
        return value < 0 ? Double.NaN : value;
    }

    /** The suggestions for requests that are at least twice as large; 0 for the others. */
    public Regret.CategoryRequest request() {
        return new Regret.CategoryRequest(
                isFar(requestedMillis, suggestedMillis) ? suggestedMillis : 0,
                isFar((long) requestedCores, suggestedCores) ? suggestedCores : 0,
                isFar(requestedMemory, suggestedMemory) ? suggestedMemory : 0);
    }

    /** The advice as a sentence without its period. */
    public String text() {
        return "'" + category + "' requests at least twice what 95 % of its tasks used; suggested " + changes();
    }

    private static boolean isFar(long requested, long suggested) {
        return suggested > 0 && requested >= MemoryUse.FAR * suggested;
    }

    /** The requests to change, as settings of a workflow: {@code time: 2m, memory: 64M}; empty if none is far from what was used. */
    public String changes() {
        List<String> changes = new ArrayList<>();
        if (isFar(requestedMillis, suggestedMillis)) {
            changes.add("time: " + TimeText.text(suggestedMillis * 1000));
        }
        if (isFar((long) requestedCores, suggestedCores)) {
            changes.add("cores: " + suggestedCores);
        }
        if (isFar(requestedMemory, suggestedMemory)) {
            changes.add("memory: " + SizeText.rounded(suggestedMemory));
        }
        return String.join(", ", changes);
    }

    private static String time(long millis) {
        return millis <= 0 ? "-" : Rounded.time(millis);
    }

    private static String cores(double cores) {
        return cores < 0 ? "-" : DecimalText.fixed(cores, cores == Math.rint(cores) ? 0 : 2);
    }

    private static String size(long bytes) {
        return bytes <= 0 ? "-" : SizeText.rounded(bytes);
    }
}
