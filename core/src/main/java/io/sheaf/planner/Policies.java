package io.sheaf.planner;

import io.sheaf.text.InputException;
import java.util.List;

/** All policies by name. */
public final class Policies {
    public static final List<String> NAMES =
            List.of("rank-hybd", "rank-hf", "fifo", "random", "smallest-remaining", "fair-share");

    private Policies() {}

    /** The policy of this name; throws an exception that lists the names if it is unknown. */
    public static PoolPolicy named(String name, long seed) {
        return switch (name) {
            case "rank-hybd" -> new RankHybd();
            case "rank-hf" -> new RankHf();
            case "fifo" -> new Fifo();
            case "random" -> new RandomChoice(seed);
            case "smallest-remaining" -> new SmallestRemainingWork();
            case "fair-share" -> new FairShare();
            default -> throw InputException.unknown("policy", name, NAMES);
        };
    }
}
