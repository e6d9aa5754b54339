package io.sheaf.lab;

import io.sheaf.platform.Model;
import io.sheaf.platform.Platform;
import io.sheaf.platform.Scenario;
import io.sheaf.text.DecimalText;
import java.util.ArrayList;
import java.util.List;

/** Runs of a published study on one platform, looked up; a run that was not published has no outcome. */
final class PublishedBlock extends PlatformGrid {
    private static final String NOT_PUBLISHED = ",,,,,,,,,";

    private final Published published;

    PublishedBlock(Platform platform, List<Subject> subjects, List<Arm> arms, List<Long> seeds, Published published) {
        super(platform, "study", subjects, arms, seeds);
        this.published = published;
    }

    @Override
    public void run(int threads, int[] items, Sink sink) {
        for (int item : items) {
            Subject subject = subjects.get(subject(item));
            double bound = PlatformTable.bound(new Scenario(subject.workflow(), platform, Model.PUBLISHED));
            List<String> rows = new ArrayList<>();
            for (Arm arm : arms) {
                // What was generated here is not what was studied, even if it stands in for it.
                Published.Run run = subject.isGenerated()
                        ? null
                        : published.find(subject.group(), platform.name(), arm, seed(item));
                rows.add(row(item, arm, run == null ? NOT_PUBLISHED : outcome(run, bound)));
            }
            sink.ran(item, rows);
        }
    }

    private static String outcome(Published.Run run, double bound) {
        List<String> chosen =
                run.sequence().isEmpty() ? List.of() : List.of(run.sequence().split(" ", -1));
        return String.join(
                ",",
                "1",
                DecimalText.fixed(run.makespan(), 6),
                DecimalText.fixed(bound, 6),
                "",
                "",
                "",
                chosen.isEmpty() ? "" : Integer.toString(chosen.size()),
                chosen.isEmpty() ? "" : Long.toString(chosen.stream().distinct().count()),
                run.sequence(),
                "");
    }
}
