package io.sheaf.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How long does {@code sheaf} take from the shell, with its class-data archive and without it? Called by ./bench start-up. */
public final class HowFastDoesTheCommandStart {
    private static final int RUNS = 15;

    private HowFastDoesTheCommandStart() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        String program = args[0];
        Map<String, String> cold = Map.of("SHEAF_NO_ARCHIVE", "1", "SHEAF_CACHE", "/dev/null");
        for (List<String> words : List.of(List.of("--version"), List.of("config"), List.of("inspect", args[1]))) {
            double[] withArchive = new double[RUNS];
            double[] withoutArchive = new double[RUNS];
            // Alternating, so that other load affects both; the first two runs fill the disk cache.
            for (int i = -2; i < RUNS; i++) {
                withArchive[Math.max(0, i)] = millis(program, words, Map.of());
                withoutArchive[Math.max(0, i)] = millis(program, words, cold);
            }
            Measure.print(
                    "sheaf %-40s %4.0f ms with the archive, %4.0f ms without, ratio %.2f",
                    String.join(" ", words),
                    median(withArchive),
                    median(withoutArchive),
                    median(withArchive) / median(withoutArchive));
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[RUNS / 2];
    }

    private static double millis(String program, List<String> words, Map<String, String> variables)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(program);
        builder.command().addAll(words);
        builder.environment().putAll(variables);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.INHERIT);
        long start = System.nanoTime();
        if (builder.start().waitFor() != 0) {
            throw new IOException("failed: " + words);
        }
        return (System.nanoTime() - start) / 1e6;
    }
}
