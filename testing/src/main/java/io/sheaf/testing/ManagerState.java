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
import java.util.stream.Stream;
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

    /** A field that is state, or a field of an object in a field, and what may fill its arrays. */
    private record StatePath(String label, List<String> names, List<String> fill) {
        static StatePath of(String path) {
            return new StatePath(path, List.of(path.split("\\.")), FILLED.getOrDefault(path, List.of()));
        }
    }

    /** A field of a class. */
    private record ClassField(Class<?> type, String name) {}

    private static final Map<String, List<StatePath>> PATHS = FIELDS.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().stream()
                    .flatMap(some -> Stream.of(some.split(",")))
                    .map(StatePath::of)
                    .toList()));

    private static final Map<ClassField, Field> KNOWN = new ConcurrentHashMap<>();

    private ManagerState() {}

    public static String of(Manager manager) {
        StringBuilder out = new StringBuilder();
        append(out, manager, List.of());
        if (Boolean.TRUE.equals(value(manager, "awaited"))) {
            append(out, value(manager, "arrivals"), List.of());
            out.append(value(manager, "expected"));
        }
        return out.toString();
    }

    private static void append(StringBuilder out, @Nullable Object value, List<String> fill) {
        if (value == null) {
            out.append("null");
        } else if (value.getClass().isArray()) {
            appendArray(out, value, fill);
        } else if (value instanceof Map<?, ?> map) {
            Map<String, Object> sorted = new TreeMap<>();
            map.forEach((key, each) -> sorted.put(key.toString(), each));
            sorted.forEach((key, each) -> append(out.append(',').append(key).append('='), each, fill));
            out.append(';');
        } else if (value instanceof Collection<?> all) {
            all.forEach(each -> append(out.append(','), each, fill));
            out.append(';');
        } else if (value instanceof Memo memo) {
            out.append(memo.text());
        } else {
            appendObject(out, value);
        }
    }

    private static void appendObject(StringBuilder out, Object value) {
        List<StatePath> paths = PATHS.get(value.getClass().getSimpleName());
        if (paths == null) {
            out.append(value);
            return;
        }
        for (StatePath path : paths) {
            Object found = value;
            for (String name : path.names) {
                found = found == null ? null : value(found, name);
            }
            append(out.append(' ').append(path.label).append(' '), found, path.fill);
        }
        out.append('\n');
    }

    /** Elements at the end that only fill the array are left out. */
    private static void appendArray(StringBuilder out, Object array, List<String> fill) {
        int end = 0;
        int length = Array.getLength(array);
        int begin = out.append('[').length();
        for (int i = 0; i < length; i++) {
            int element = out.length();
            if (array instanceof int[] ints) {
                out.append(ints[i]);
            } else if (array instanceof long[] longs) {
                out.append(longs[i]);
            } else {
                append(out, Array.get(array, i), fill);
            }
            if (fill.isEmpty() || !fill.contains(out.substring(element))) {
                end = out.length() - begin;
            }
            out.append(',');
        }
        out.setLength(begin + end);
        out.append(']');
    }

    private static @Nullable Object value(Object object, String name) {
        try {
            return KNOWN.computeIfAbsent(new ClassField(object.getClass(), name), ManagerState::field)
                    .get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Field field(ClassField key) {
        for (Class<?> each = key.type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (field.getName().equals(key.name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new AssertionError(key.type.getSimpleName() + " has no field " + key.name);
    }
}
