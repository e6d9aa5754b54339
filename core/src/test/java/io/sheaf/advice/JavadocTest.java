package io.sheaf.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Javadoc of this module, which other programs embed, builds without warnings. */
class JavadocTest {
    @Test
    void javadocReportsNoWarnings(@TempDir Path folder) {
        StringWriter messages = new StringWriter();
        PrintWriter out = new PrintWriter(messages);
        String annotations = Path.of(URI.create(NullMarked.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        int status = ToolProvider.findFirst("javadoc")
                .orElseThrow()
                .run(
                        out,
                        out,
                        "-quiet",
                        "-Xdoclint:all,-missing",
                        "-Xwerror",
                        "-protected",
                        "-d",
                        folder.toString(),
                        "-cp",
                        annotations,
                        "-sourcepath",
                        "src/main/java",
                        "-subpackages",
                        "io.sheaf");
        assertThat(messages.toString()).isEmpty();
        assertThat(status).isZero();
    }
}
