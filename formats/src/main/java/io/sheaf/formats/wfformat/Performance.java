package io.sheaf.formats.wfformat;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Retry;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Run time, resources and command of a task in a file. Absent fields have the defaults below. */
final class Performance {
    static final int UNSET = -1;

    long time = Workflow.UNKNOWN;
    /** The place of the run time; 0 if absent. */
    long timePlace;

    int cores = UNSET;
    /** The part of one core that it needs, in thousandths; 0 for whole cores. */
    int share;

    long sharePlace;
    long memory = UNSET;
    int gpus = UNSET;
    int nodes = UNSET;
    final Map<String, Long> named = new TreeMap<>();
    int retries;

    @Nullable
    String retry;

    int priority;
    long limit;
    long limitPlace;

    @Nullable
    String program;

    @Nullable
    List<String> arguments;

    /** The whole command, if program and arguments cannot express it. */
    @Nullable
    List<String> argv;

    @Nullable
    Map<String, String> environment;

    @Nullable
    Scaling scaling;

    /** Copies fields that are absent here from another description. */
    void fillFrom(Performance other) {
        if (timePlace == 0) {
            time = other.time;
            timePlace = other.timePlace;
        }
        if (limitPlace == 0) {
            limit = other.limit;
            limitPlace = other.limitPlace;
        }
        cores = cores == UNSET ? other.cores : cores;
        share = share == 0 ? other.share : share;
        sharePlace = sharePlace == 0 ? other.sharePlace : sharePlace;
        memory = memory == UNSET ? other.memory : memory;
        gpus = gpus == UNSET ? other.gpus : gpus;
        nodes = nodes == UNSET ? other.nodes : nodes;
        other.named.forEach(named::putIfAbsent);
        retries = retries == 0 ? other.retries : retries;
        retry = retry == null ? other.retry : retry;
        priority = priority == 0 ? other.priority : priority;
        program = program == null ? other.program : program;
        arguments = arguments == null ? other.arguments : arguments;
        argv = argv == null ? other.argv : argv;
        environment = environment == null ? other.environment : environment;
        scaling = scaling == null ? other.scaling : scaling;
    }

    /** Hands everything over to the builder. */
    void apply(WorkflowBuilder builder, int task, String category) {
        if (timePlace != 0) {
            builder.time(task, time, timePlace);
        }
        if (limitPlace != 0) {
            builder.limit(task, limit, limitPlace);
        }
        if (share > 0 && (cores > 1 || nodes > 1)) {
            throw new InputException("'" + SheafKeys.SHARE + "' is for tasks of one core of one node", sharePlace);
        }
        if (share > 0 || cores != UNSET || memory != UNSET || gpus != UNSET || nodes != UNSET || !named.isEmpty()) {
            builder.resources(
                    task,
                    new Resources(
                            Math.max(1, cores),
                            Math.max(0, memory),
                            Math.max(0, gpus),
                            Math.max(1, nodes),
                            share,
                            NamedAmounts.of(named)));
        }
        if (retry != null) {
            builder.retry(task, Retry.parse(retry));
        }
        if (retries != 0) {
            builder.retries(task, retries);
        }
        if (priority != 0) {
            builder.priority(task, priority);
        }
        if (scaling != null) {
            builder.scaling(task, scaling);
        }
        Command command = CommandMapping.of(this, category);
        if (command != null) {
            builder.command(task, environment == null ? command : command.with(environment));
        }
    }
}
