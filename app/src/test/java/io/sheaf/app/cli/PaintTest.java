package io.sheaf.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PaintTest {
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String PLAIN = "\u001b[0m";

    @Test
    void linesAreColouredByState() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(new Paint(text));
        out.println("tasks             3 done, 0 failed, 0 skipped of 3; 1 up to date");
        out.println("tasks             2 done, 1 failed, 0 skipped of 3");
        out.println("failed            three; output in /run/logs");
        out.println("state             paused");
        out.print("state");
        out.println("             done");
        out.println("sheaf: note: an earlier run cannot be read");
        out.println("makespan          3.0 s");
        out.print("\u001b[H12 % \r");
        out.flush();
        assertThat(text.toString().replace("\r\n", "\n"))
                .isEqualTo(GREEN + "tasks             3 done, 0 failed, 0 skipped of 3; 1 up to date" + PLAIN + "\n"
                        + RED + "tasks             2 done, 1 failed, 0 skipped of 3" + PLAIN + "\n"
                        + RED + "failed            three; output in /run/logs" + PLAIN + "\n"
                        + YELLOW + "state             paused" + PLAIN + "\n"
                        + GREEN + "state             done" + PLAIN + "\n"
                        + YELLOW + "sheaf: note: an earlier run cannot be read" + PLAIN + "\n"
                        + "makespan          3.0 s\n\u001b[H12 % \r");
    }

    @Test
    void coloursNeedATerminal() {
        assertThat(Paint.isEnabled(true, Map.of())).isTrue();
        assertThat(Paint.isEnabled(true, Map.of("NO_COLOR", ""))).isTrue();
        assertThat(Paint.isEnabled(true, Map.of("NO_COLOR", "1"))).isFalse();
        assertThat(Paint.isEnabled(true, Map.of("TERM", "dumb"))).isFalse();
        assertThat(Paint.isEnabled(false, Map.of())).isFalse();
    }
}
