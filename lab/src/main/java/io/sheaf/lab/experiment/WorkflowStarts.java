package io.sheaf.lab.experiment;

import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.random.RandomStream;
import io.sheaf.text.TimeText;
import java.util.Arrays;
import java.util.List;

/**
 * The start times of the workflows, regular or random; in milliseconds after the beginning of the replayed period.
 *
 * @param random the number of random start times; 0 for regular ones
 */
public record WorkflowStarts(long first, long every, long length, int random) {
    public static final List<String> KEYS = List.of("first", "every", "for", "random");
    private static final int MAX = 1_000_000;

    /** The start times of the GLUME thesis: every half hour for six days, after a warm-up of one day. */
    public static final WorkflowStarts DEFAULT =
            new WorkflowStarts(TimeText.millis("1d"), TimeText.millis("30m"), TimeText.millis("6d"), 0);

    public static WorkflowStarts read(Mapping fields, Problems problems) {
        Section section = new Section(fields, "'starts'", KEYS, problems);
        WorkflowStarts starts = new WorkflowStarts(
                section.one("first", DEFAULT.first, Section::time),
                section.one("every", DEFAULT.every, Section::time),
                section.one("for", DEFAULT.length, Section::time),
                section.one("random", 0, Section.whole(1)));
        if (starts.every == 0 || starts.length / Math.max(1, starts.every) >= MAX || starts.random > MAX) {
            problems.add("'starts': give a time between two starts, and at most a million of them", section.place());
            return DEFAULT;
        }
        if (starts.random > 0 && section.has("every")) {
            problems.add("'starts': random starts have no 'every'; remove one of them", section.place());
        }
        return starts;
    }

    /** Reads the key {@code starts} of a map. */
    public static WorkflowStarts of(Section section) {
        Node from = section.node("starts");
        if (from != null && !(from instanceof Mapping)) {
            section.problems().add("'starts' must be a map: {first: 1d, every: 30m, for: 6d}", from.place());
        }
        return from instanceof Mapping fields ? read(fields, section.problems()) : DEFAULT;
    }

    /** The start times, ascending; random ones are whole seconds and depend only on the seed. */
    public long[] instants(long seed) {
        if (random > 0) {
            RandomStream stream = new RandomStream(seed).split("starts");
            long[] drawn = new long[random];
            Arrays.setAll(drawn, i -> first + stream.nextLong(length / 1000 + 1) * 1000);
            Arrays.sort(drawn);
            return drawn;
        }
        long[] even = new long[(int) (length / every) + 1];
        Arrays.setAll(even, i -> first + i * every);
        return even;
    }
}
