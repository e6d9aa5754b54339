package io.sheaf.runtime.limits;

import io.sheaf.formats.yaml.ConfigFile;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The site file: limits that no option, variable or user configuration can change.
 *
 * <p>Sheaf reads {@code /etc/sheaf/site.yaml} and {@code site.yaml} beside the installation's jar; the stricter limit
 * applies. The first must belong to root, and neither may be writable by group or others. Sheaf stops if a file exists
 * but cannot be used.
 */
public final class LimitsFile {
    private static final Path SYSTEM = Path.of("/etc/sheaf/site.yaml");
    private static final String NAME = "site.yaml";
    private static final List<String> NAMES =
            List.of("queued-pilot-jobs", "submissions-per-hour", "cancellations-per-hour", "ledger", "prices");

    private static final Pattern PRICE = Pattern.compile("([^=,\\s]+)=([0-9]{1,6}(?:\\.[0-9]{1,6})?)");

    private LimitsFile() {}

    /** The limits of this machine and installation. */
    public static SubmissionLimits limits() {
        return limits(SYSTEM, "root", installed());
    }

    /**
     * The limits of two files, of which either may be missing.
     *
     * @param owner the required owner of the first
     */
    static SubmissionLimits limits(Path system, String owner, Path installed) {
        SubmissionLimits limits = SubmissionLimits.NONE;
        if (Files.exists(system)) {
            limits = read(system, owner);
        }
        return Files.exists(installed) ? limits.and(read(installed, "")) : limits;
    }

    private static Path installed() {
        CodeSource source = LimitsFile.class.getProtectionDomain().getCodeSource();
        try {
            return source == null
                    ? SYSTEM
                    : Path.of(source.getLocation().toURI()).resolveSibling(NAME);
        } catch (URISyntaxException e) {
            return SYSTEM;
        }
    }

    /**
     * Reads one file.
     *
     * @param owner the required owner; empty for any
     */
    static SubmissionLimits read(Path file, String owner) {
        check(file, owner);
        SubmissionLimits limits = SubmissionLimits.NONE;
        for (ConfigFile.ConfigEntry entry : ConfigFile.read(file)) {
            try {
                limits = limits.and(limit(entry));
            } catch (InputException e) {
                throw e.at(entry.place()).in(file.toString());
            }
        }
        return limits;
    }

    private static SubmissionLimits limit(ConfigFile.ConfigEntry entry) {
        return switch (entry.name()) {
            // The second is the name of earlier versions.
            case "queued-pilot-jobs", "queued-placeholders" ->
                new SubmissionLimits(count(entry), SubmissionLimits.ANY, SubmissionLimits.ANY, null);
            case "submissions-per-hour" ->
                new SubmissionLimits(SubmissionLimits.ANY, count(entry), SubmissionLimits.ANY, null);
            case "cancellations-per-hour" ->
                new SubmissionLimits(SubmissionLimits.ANY, SubmissionLimits.ANY, count(entry), null);
            case "ledger" ->
                new SubmissionLimits(
                        SubmissionLimits.ANY, SubmissionLimits.ANY, SubmissionLimits.ANY, Path.of(entry.value()));
            case "prices" ->
                new SubmissionLimits(
                        SubmissionLimits.ANY, SubmissionLimits.ANY, SubmissionLimits.ANY, null, prices(entry));
            default -> throw InputException.unknown("limit", entry.name(), NAMES);
        };
    }

    private static Map<String, Double> prices(ConfigFile.ConfigEntry entry) {
        Map<String, Double> prices = new TreeMap<>();
        for (String each : entry.value().split(",", -1)) {
            Matcher price = PRICE.matcher(each.strip());
            if (!price.matches()) {
                throw new InputException(
                        "prices: '" + each.strip() + "' is not a price; write PARTITION=NUMBER, e.g. gpu=4");
            }
            prices.put(price.group(1), Double.parseDouble(price.group(2)));
        }
        return prices;
    }

    private static int count(ConfigFile.ConfigEntry entry) {
        if (!entry.value().matches("[1-9][0-9]{0,5}")) {
            throw new InputException(
                    entry.name() + ": '" + entry.value() + "' is not a limit; write a number from 1 to 999999");
        }
        return Integer.parseInt(entry.value());
    }

    private static void check(Path file, String owner) {
        try {
            PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
            if (!owner.isEmpty() && !attributes.owner().getName().equals(owner)) {
                throw new InputException(
                                "belongs to " + attributes.owner().getName() + "; a site file must belong to " + owner)
                        .in(file.toString());
            }
            for (Map.Entry<PosixFilePermission, String> loose : Map.of(
                            PosixFilePermission.GROUP_WRITE, "its group",
                            PosixFilePermission.OTHERS_WRITE, "all users")
                    .entrySet()) {
                if (attributes.permissions().contains(loose.getKey())) {
                    throw new InputException("can be written by " + loose.getValue()
                                    + "; only its owner may change a site file (chmod go-w)")
                            .in(file.toString());
                }
            }
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(file.toString());
        }
    }
}
