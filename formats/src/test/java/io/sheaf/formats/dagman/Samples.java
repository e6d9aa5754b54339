package io.sheaf.formats.dagman;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/** The sample files of this package. */
final class Samples {
    private Samples() {}

    /** A DAG file and its submit files, by the paths that the DAG file uses. */
    static Map<String, byte[]> pipeline() {
        return Map.of(
                "pipeline.dag",
                bytes("pipeline.dag"),
                "split.sub",
                bytes("split.sub"),
                "reports/report.sub",
                bytes("report.sub"));
    }

    static byte[] bytes(String name) {
        try (InputStream in = Objects.requireNonNull(Samples.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
