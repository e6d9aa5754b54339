package io.sheaf.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long MILLI = 1_000_000;

    private static String output(boolean terminal) {
        StringWriter err = new StringWriter();
        AtomicLong nanos = new AtomicLong(5);
        try (Progress progress =
                new Progress(new PrintWriter(err), terminal, Progress.percentage("working"), nanos::get)) {
            progress.at(10, 200);
            nanos.addAndGet(1500 * MILLI);
            progress.at(50, 200);
            nanos.addAndGet(100 * MILLI);
            progress.at(60, 200);
            nanos.addAndGet(100 * MILLI);
            progress.at(100, 200);
        }
        return err.toString();
    }

    @Test
    void progressIsPrintedAfterASecondThenFiveTimesASecond() {
        assertThat(output(true)).isEqualTo("\rworking: 25 % \rworking: 50 % \r              \r");
    }

    @Test
    void nothingIsPrintedWithoutATerminal() {
        assertThat(output(false)).isEmpty();
    }
}
