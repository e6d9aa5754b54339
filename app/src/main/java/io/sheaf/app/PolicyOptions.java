package io.sheaf.app;

import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueOrder;
import io.sheaf.text.InputException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** How a simulated cluster schedules: the same options for every command that has one. */
final class PolicyOptions {
    private static final List<String> POLICIES = List.of("fcfs", "easy", "conservative", "depth:K");
    private static final String DEPTH = "depth:";

    /** In which order queued jobs are considered. */
    private enum Order {
        FCFS,
        LARGE,
        SMALL
    }

    @Option(
            names = "--policy",
            paramLabel = "P",
            defaultValue = "easy",
            description =
                    "fcfs, easy, conservative, or depth:K for backfilling with K reservations (${DEFAULT-VALUE}).")
    String policy = "easy";

    @Option(
            names = "--order",
            paramLabel = "O",
            defaultValue = "fcfs",
            description = "Who is considered first: fcfs (by arrival), large or small requests (${DEFAULT-VALUE}).")
    String order = "fcfs";

    @Option(
            names = "--placement",
            paramLabel = "HOW",
            defaultValue = "count",
            description = "count: any free nodes do; contiguous: a block of neighbours is needed (${DEFAULT-VALUE}).")
    String placement = "count";

    Policy policy() {
        return Policy.depth(depth())
                .withOrder(order())
                .withPlacement(Choice.of("--placement", placement, Policy.Placement.class));
    }

    /** The policy in a few words. */
    String text() {
        return policy
                + (order.equalsIgnoreCase("fcfs") ? "" : ", " + order + " first")
                + (placement.equalsIgnoreCase("count") ? "" : ", " + placement);
    }

    private QueueOrder order() {
        return switch (Choice.of("--order", order, Order.class)) {
            case FCFS -> QueueOrder.ARRIVAL;
            case LARGE -> QueueOrder.LARGE;
            case SMALL -> QueueOrder.SMALL;
        };
    }

    private int depth() {
        String wanted = policy.toLowerCase(Locale.ROOT);
        return switch (wanted) {
            case "fcfs" -> Policy.FCFS;
            case "easy" -> Policy.EASY;
            case "conservative" -> Policy.CONSERVATIVE;
            default -> {
                if (!wanted.startsWith(DEPTH)) {
                    throw Choice.unknown("--policy", policy, POLICIES);
                }
                yield reservations(wanted.substring(DEPTH.length()));
            }
        };
    }

    private static int reservations(String count) {
        try {
            int depth = Integer.parseInt(count);
            if (depth >= 0) {
                return depth;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new InputException(
                "--policy: '" + count + "' is no number of reservations; write depth:8, or conservative for all");
    }
}
