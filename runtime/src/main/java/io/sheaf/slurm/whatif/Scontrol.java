package io.sheaf.slurm.whatif;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code scontrol} output: records of {@code Key=Value}, and the configuration as {@code Key = value}. */
final class Scontrol {
    /** A key follows the start of the line or whitespace; values may contain spaces. */
    private static final Pattern KEY = Pattern.compile("(?:^|\\s)([A-Za-z][A-Za-z0-9/:_]*)=");

    private Scontrol() {}

    /** The records of {@code scontrol -o show …}, one per line; skips other lines. */
    static List<Map<String, String>> records(String text) {
        return text.lines()
                .map(Scontrol::record)
                .filter(record -> !record.isEmpty())
                .toList();
    }

    private static Map<String, String> record(String line) {
        Map<String, String> record = new LinkedHashMap<>();
        Matcher key = KEY.matcher(line);
        String name = null;
        int from = 0;
        while (key.find()) {
            if (name != null) {
                record.putIfAbsent(name, line.substring(from, key.start()).strip());
            }
            name = key.group(1);
            from = key.end();
        }
        if (name != null) {
            record.putIfAbsent(name, line.substring(from).strip());
        }
        return record;
    }

    /** The lines {@code Key = value} of {@code scontrol show config}. */
    static Map<String, String> config(String text) {
        Map<String, String> config = new LinkedHashMap<>();
        for (String line : text.split("\n", -1)) {
            int at = line.indexOf(" = ");
            if (at > 0) {
                config.putIfAbsent(
                        line.substring(0, at).strip(), line.substring(at + 3).strip());
            }
        }
        return config;
    }

    /** Parses {@code scontrol -o show reservation}; adds invalid records to the problems. */
    static List<SlurmSnapshot.Reservation> reservations(String text, List<String> problems) {
        List<SlurmSnapshot.Reservation> all = new ArrayList<>();
        for (Map<String, String> record : records(text)) {
            String name = record.get("ReservationName");
            if (name == null) {
                continue;
            }
            try {
                long from = Limit.instant(record.getOrDefault("StartTime", ""));
                long to = Limit.instant(record.getOrDefault("EndTime", ""));
                if (from == Limit.UNKNOWN || to <= from) {
                    throw new InputException("no span of time");
                }
                all.add(new SlurmSnapshot.Reservation(
                        name, from, to, HostList.expand(record.getOrDefault("Nodes", ""))));
            } catch (InputException e) {
                problems.add("scontrol show reservation: " + name + ": " + e.problem());
            }
        }
        return all;
    }
}
