package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Records every effect as text. */
final class Notes implements Effects {
    private final List<String> all = new ArrayList<>();

    @Override
    public void submit(long token, Request request) {
        all.add("submit " + token + " " + request.units() + "x" + request.walltime());
    }

    @Override
    public void cancel(long token) {
        all.add("cancel " + token);
    }

    @Override
    public void shorten(long token, long walltime) {
        all.add("shorten " + token + " " + walltime);
    }

    @Override
    public void start(long token, int[] nodes, int task, int attempt) {
        String on = Arrays.stream(nodes).mapToObj(Integer::toString).collect(Collectors.joining("+"));
        all.add("start t" + task + " on " + token + "." + on + (attempt > 1 ? " again" : ""));
    }

    @Override
    public void start(long token, int[] nodes, Resources needs, int task, int attempt) {
        String on = Arrays.stream(nodes).mapToObj(Integer::toString).collect(Collectors.joining("+"));
        all.add("start t" + task + " on " + token + "." + on + " of " + needs.cores() + (attempt > 1 ? " again" : ""));
    }

    @Override
    public void share(long token, int node, int core, int task, int attempt) {
        all.add("start t" + task + " on " + token + "." + node + " core " + core + (attempt > 1 ? " again" : ""));
    }

    @Override
    public void stop(long token, int task, int attempt) {
        all.add("stop t" + task + "#" + attempt + " on " + token);
    }

    @Override
    public void release(long token) {
        all.add("release " + token);
    }

    @Override
    public void wake(long at) {
        all.add("wake " + at);
    }

    List<String> take() {
        List<String> taken = List.copyOf(all);
        all.clear();
        return taken;
    }
}
