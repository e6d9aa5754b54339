package io.sheaf.testing;

import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The complete state of a manager as text; managers with the same history have the same text. Caches and capacities are no state. */
public final class ManagerState {
    /** The fields that are state, of each class that has some which are not. */
    private static final Map<String, List<String>> FIELDS = Map.ofEntries(
            Map.entry(
                    "Manager",
                    List.of(
                            "now,nextToken,changed,cancelled,open,wakeAt,nextGivingUp,requestedWake,expiries,reruns",
                            "failures,memo,submissionFailures,health,pilotJobs,binding,progress,margins,places,turns")),
            Map.entry("Arrivals", List.of("first,until")),
            Map.entry("SubmissionFailures", List.of("refusals,unconnected,delayDue,quietUntil,paused")),
            Map.entry("NodeHealth", List.of("hosts")),
            Map.entry("Host", List.of("connected,silent,failedInARow,until,counts,open")),
            Map.entry(
                    "PilotJob",
                    List.of(
                            "token,state,request,claim,submittedAt,startedAt,freeCores,freeTotal,freeGpus,freeMemory",
                            "freeNamed,runningTasks,lostNodes,everUp,shortened,closing,draining,shared,avoidedNodes",
                            "avoided,idleSince,idled,preempted,late")),
            Map.entry("Request", List.of("pool,units,walltime,notBefore,afterToken,node")),
            Map.entry("SharedCores", List.of("used")),
            Map.entry("Binding", List.of("running")),
            Map.entry("RunningAttempt", List.of("number,in.token,startedAt,nodes,needs,core,ahead,recalled")),
            Map.entry(
                    "TaskProgress",
                    List.of("state,missing,attempts,failures,committed,preempted,ready,levels,held,heldBack,needs")),
            Map.entry("ReadyTasks", List.of("ready,inLevel")),
            Map.entry("LevelCounts", List.of("running,unfinished,allUnfinished,first")),
            Map.entry("TaskNeeds", List.of("timeouts,grown,observed,runTimeError")),
            Map.entry("Timeouts", List.of("cuts")),
            Map.entry("ObservedTimes", List.of("kinds")),
            Map.entry("Margins", List.of("bounds")),
            Map.entry("FileLocations", List.of("sites,files")),
            Map.entry("SiteTransfers", List.of("transfers,bytes,micros")),
            Map.entry("FileCopies", List.of("bytes,at")),
            Map.entry("WorkflowTurns", List.of("pools,owners")),
            Map.entry("JobPool", List.of("ready,assigned")),
            Map.entry("Owner", List.of("usage")));
    /** Fields whose arrays may be longer than they need to be, and what then fills them. */
    private static final Map<String, List<String>> FILLED = Map.of("bounds", List.of("-1"), "used", List.of("0", "[]"));

    private static final Map<String, Field> KNOWN = new ConcurrentHashMap<>();

    private ManagerState() {}

    public static String of(Manager manager) {
        boolean awaited = Boolean.TRUE.equals(value(manager, "awaited"));
        return text(manager, List.of())
                + (awaited ? text(value(manager, "arrivals"), List.of()) + value(manager, "expected") : "");
    }

    private static String text(@Nullable Object value, List<String> fill) {
        if (value == null) {
            return "null";
        }
        if (value.getClass().isArray()) {
            List<String> all = IntStream.range(0, Array.getLength(value))
                    .mapToObj(i -> text(Array.get(value, i), fill))
                    .collect(Collectors.toList());
            while (!all.isEmpty() && fill.contains(all.get(all.size() - 1))) {
                all.remove(all.size() - 1);
            }
            return all.toString();
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((key, each) -> sorted.put(key.toString(), text(each, fill)));
            return sorted.toString();
        }
        if (value instanceof Collection<?> all) {
            return all.stream().map(each -> text(each, fill)).toList().toString();
        }
        if (value instanceof Memo memo) {
            return memo.text();
        }
        List<String> fields = FIELDS.get(value.getClass().getSimpleName());
        return fields == null
                ? value.toString()
                : fields.stream()
                        .flatMap(some -> List.of(some.split(",")).stream())
                        .map(path -> path + " " + text(at(value, path), FILLED.getOrDefault(path, List.of())))
                        .collect(Collectors.joining(" ", "{", "}\n"));
    }

    private static @Nullable Object at(Object object, String path) {
        Object found = object;
        for (String name : path.split("\\.")) {
            found = found == null ? null : value(found, name);
        }
        return found;
    }

    private static @Nullable Object value(Object object, String name) {
        try {
            return KNOWN.computeIfAbsent(
                            object.getClass().getName() + "." + name, key -> field(object.getClass(), name))
                    .get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Field field(Class<?> type, String name) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new AssertionError(type.getSimpleName() + " has no field " + name);
    }
}
