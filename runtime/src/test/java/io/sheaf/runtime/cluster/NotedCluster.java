package io.sheaf.runtime.cluster;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartEstimator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** A cluster that records the commands that it receives and reports the events that a test adds. */
public class NotedCluster implements Cluster {
    public final List<String> commands;
    public final List<Event> events;

    public NotedCluster() {
        this(new ArrayList<>(), new ArrayList<>());
    }

    public NotedCluster(List<String> commands, List<Event> events) {
        this.commands = commands;
        this.events = events;
    }

    @Override
    public void submit(long token, Request request) {
        commands.add("submit " + token);
    }

    @Override
    public void cancel(long token) {
        commands.add("cancel " + token);
    }

    @Override
    public void shorten(long token, long walltime) {
        commands.add("shorten " + token);
    }

    @Override
    public void release(long token) {
        commands.add("release " + token);
    }

    @Override
    public long turn(long now, Consumer<Event> to) {
        List<Event> due = new ArrayList<>(events);
        events.clear();
        due.forEach(to);
        return NEVER;
    }

    @Override
    public void reconcile(Collection<Long> tokens) {
        commands.add("reconcile " + tokens);
    }

    @Override
    public StartEstimator estimator() {
        return StartEstimator.UNINFORMED;
    }

    @Override
    public void close() {}
}
