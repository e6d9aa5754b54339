package io.sheaf.sim.model;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The clusters whose load can be had without a log: the rows of {@code presets.txt}. */
public final class Presets {
    private static final int COLUMNS = 13;

    private Presets() {}

    /** All presets, in the order of the table. */
    public static List<ClusterFigures> all() {
        try (InputStream in = Presets.class.getResourceAsStream("presets.txt")) {
            if (in == null) {
                throw new IllegalStateException("presets.txt is missing from the program");
            }
            List<ClusterFigures> found = new ArrayList<>();
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    found.add(figures(line.strip().split("\\s+")));
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static ClusterFigures figures(String name) {
        List<ClusterFigures> all = all();
        return all.stream()
                .filter(f -> f.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no model '" + name + "'; there are "
                        + String.join(
                                ", ", all.stream().map(ClusterFigures::name).toList())));
    }

    /** The model fitted to a preset's figures. */
    public static WorkloadModel model(String name) {
        return ModelFit.of(figures(name));
    }

    private static ClusterFigures figures(String[] c) {
        if (c.length != COLUMNS) {
            throw new IllegalStateException("presets.txt: " + Arrays.toString(c) + " has not " + COLUMNS + " columns");
        }
        return new ClusterFigures(
                c[0],
                Integer.parseInt(c[1]),
                Integer.parseInt(c[2]),
                Integer.parseInt(c[3]),
                Double.parseDouble(c[4]),
                Double.parseDouble(c[5]),
                Double.parseDouble(c[6]),
                Double.parseDouble(c[7]),
                Double.parseDouble(c[8]),
                Double.parseDouble(c[9]),
                Double.parseDouble(c[10]),
                Double.parseDouble(c[11]),
                Integer.parseInt(c[12]));
    }
}
