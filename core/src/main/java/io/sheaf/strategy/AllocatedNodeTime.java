package io.sheaf.strategy;

import io.sheaf.manager.PilotJob;
import io.sheaf.manager.View;
import java.util.ArrayList;
import java.util.List;

/**
 * The node time that the pilot jobs of a run have been allocated so far, as seen by a strategy.
 *
 * @param endedMillis node-milliseconds of ended jobs
 * @param running running jobs
 */
record AllocatedNodeTime(long endedMillis, List<Running> running) {
    static final AllocatedNodeTime NOTHING = new AllocatedNodeTime(0, List.of());

    /** A job that has been allocated nodes since an instant. */
    record Running(long token, int units, long since) {}

    /** Updates the running jobs; a job that has ended counts until now. */
    AllocatedNodeTime update(View view) {
        List<Running> present = view.jobs().stream()
                .filter(PilotJob::isRunning)
                .map(p -> new Running(p.token(), p.request().units(), p.startedAt()))
                .toList();
        long ended = endedMillis;
        for (Running before : running) {
            boolean stays = present.stream().anyMatch(each -> each.token == before.token);
            ended += stays ? 0 : before.units * (view.now() - before.since);
        }
        return new AllocatedNodeTime(ended, present);
    }

    /** The total at an instant, in node-milliseconds. */
    long at(long now) {
        return endedMillis
                + running.stream()
                        .mapToLong(each -> each.units * (now - each.since))
                        .sum();
    }

    String text() {
        StringBuilder text = new StringBuilder().append(endedMillis);
        running.forEach(each -> text.append("," + each.token + "/" + each.units + "/" + each.since));
        return text.toString();
    }

    static AllocatedNodeTime read(String text) {
        String[] parts = text.split(",");
        List<Running> running = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            String[] f = parts[i].split("/");
            running.add(new Running(Long.parseLong(f[0]), Integer.parseInt(f[1]), Long.parseLong(f[2])));
        }
        return new AllocatedNodeTime(Long.parseLong(parts[0]), List.copyOf(running));
    }
}
