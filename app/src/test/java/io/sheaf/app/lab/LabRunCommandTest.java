package io.sheaf.app.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LabRunCommandTest {
    /**
     * After 2 seconds, 200 of 1,000 runs are done, 100 of them by an earlier command: 50 a second, 16 s for the
     * remaining 800.
     */
    @Test
    void theBarShowsRateAndTimeLeft() {
        StringWriter err = new StringWriter();
        AtomicLong nanos = new AtomicLong(7);
        try (Progress progress = new Progress(new PrintWriter(err), true, LabRunCommand.bar(100), nanos::get)) {
            progress.at(150, 1000);
            nanos.addAndGet(2_000_000_000L);
            progress.at(200, 1000);
        }
        assertThat(err.toString())
                .startsWith("\r[####                    ] 200 of 1,000 runs, 50 a second, 16.0 s left")
                .endsWith("\r");
    }
}
