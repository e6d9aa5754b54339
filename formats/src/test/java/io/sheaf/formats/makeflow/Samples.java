package io.sheaf.formats.makeflow;

import io.sheaf.formats.Source;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** The sample file of this package, and files of a few lines. */
final class Samples {
    static final Map<String, String> ENVIRONMENT = Map.of("FROM_OUTSIDE", "outside");

    private Samples() {}

    static byte[] pictures() {
        try (InputStream in = Objects.requireNonNull(Samples.class.getResourceAsStream("pictures.makeflow"))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Workflow read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    static Workflow read(byte[] text) {
        return new MakeflowReader(ENVIRONMENT).read(Source.of("w.mf", text), true);
    }
}
