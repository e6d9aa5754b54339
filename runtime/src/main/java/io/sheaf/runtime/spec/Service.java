package io.sheaf.runtime.spec;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.manager.Manager;
import io.sheaf.planner.Policies;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a service, a run to which workflows are submitted: a file in the run's folder, written once.
 *
 * @param policy selects whose task is next
 * @param seed of the policy's random choices
 * @param shares the weights of owners' shares; 1 by default
 */
public record Service(String policy, long seed, Map<String, Double> shares) {
    private static final String FILE = "service.txt";

    public Service {
        Policies.named(policy, seed);
        shares = Map.copyOf(shares);
        shares.forEach((owner, share) -> {
            if (!(share > 0 && share <= 1e6)) {
                throw new InputException(
                        "the share of '" + owner + "' is " + DecimalText.fixed(share, 3) + "; give a number above 0");
            }
        });
    }

    /** The service in a folder; null if the folder has a run of one workflow. */
    public static @Nullable Service of(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return null;
        }
        String policy = "";
        long seed = 0;
        Map<String, Double> shares = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split(" ", 3);
                switch (words[0]) {
                    case "policy" -> policy = words[1];
                    case "seed" -> seed = Long.parseLong(words[1]);
                    case "share" -> shares.put(words[2], Double.parseDouble(words[1]));
                    default -> throw new InputException("unknown word '" + words[0] + "'").in(file.toString());
                }
            }
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            throw new InputException("it has an incomplete line").in(file.toString());
        }
        return new Service(policy, seed, shares);
    }

    public void write(Path folder) throws IOException {
        StringBuilder text = new StringBuilder("policy " + policy + "\nseed " + seed + "\n");
        new TreeMap<>(shares).forEach((owner, share) -> text.append("share ")
                .append(DecimalText.fixed(share, 6))
                .append(' ')
                .append(owner)
                .append('\n'));
        RunFolder.replace(folder.resolve(FILE), text.toString());
    }

    /** Applies the policy to a new manager. */
    public void rule(Manager manager) {
        manager.shareBetweenWorkflows(Policies.named(policy, seed), shares);
    }
}
