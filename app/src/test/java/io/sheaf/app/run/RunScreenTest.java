package io.sheaf.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.Paint;
import io.sheaf.app.cli.Session;
import io.sheaf.app.config.Configuration;
import io.sheaf.manager.TaskState;
import io.sheaf.report.JobRecord;
import io.sheaf.runtime.recorded.RunState;
import io.sheaf.runtime.recorded.RunStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The screen of a run, drawn to text. */
class RunScreenTest {
    /** The status after half a minute: one pilot job runs, the others are queued. */
    private static RunStatus status(int pilotJobs) {
        List<RunStatus.Waiting> all = new ArrayList<>();
        all.add(new RunStatus.Waiting(1, "", 1, 60_000, "level 0", 0, 4_000, 3_000, 63_000, false, 1));
        for (int i = 2; i <= pilotJobs; i++) {
            all.add(new RunStatus.Waiting(
                    i,
                    "",
                    5,
                    60_000,
                    "levels 1-2",
                    3_000,
                    i == 2 ? 50_000 : JobRecord.NEVER,
                    JobRecord.NEVER,
                    JobRecord.NEVER,
                    false,
                    0));
        }
        return new RunStatus(
                RunState.RUNNING,
                "",
                0,
                30_000,
                90_000,
                Map.of(TaskState.DONE, 2, TaskState.RUNNING, 1, TaskState.WAITING, 5),
                List.of(),
                all,
                List.of());
    }

    @Test
    void theScreenShowsStatusJobsAndMessages() {
        List<String> lines = new RunScreen("ensemble", status(2), List.of("first", "second")).lines(100, 24);
        assertThat(String.join("\n", lines)).isEqualTo("""
                        ensemble
                        state             running
                        progress          [##########..............................] 25.0 %
                        tasks             2 of 8 done, 5 waiting, 1 running
                        elapsed           30.0 s
                        estimated end     in 1.0 min, 1.5 min after the start

                        pilot job  nodes  walltime  state       for          estimate  tasks running  tasks
                                1      1   1.0 min  running  27.0 s    ends in 33.0 s              1  level 0
                                2      5   1.0 min  queued   27.0 s  starts in 20.0 s              0  levels 1-2

                        first
                        second""");
    }

    @ParameterizedTest
    @CsvSource({"80,24", "40,12", "20,8", "10,3", "1,1", "200,60"})
    void theScreenFitsTheTerminal(int width, int height) {
        List<String> messages = List.of("a\u001b[2Jb\tc", "é".repeat(300), "last");
        List<String> lines = new RunScreen("title", status(40), messages).lines(width, height);
        assertThat(lines).hasSizeLessThanOrEqualTo(height).allMatch(line -> line.length() <= width);
        assertThat(String.join("", lines)).doesNotContain("\u001b").doesNotContain("\t");
        if (height > 10) {
            assertThat(lines).as("the last message is always shown").last().isEqualTo("last");
            assertThat(lines.stream().anyMatch(line -> line.matches("and \\d+ more")))
                    .as("40 pilot jobs need 52 lines, and a table needs 14")
                    .isEqualTo(height >= 14 && height < 52);
            assertThat(lines).anyMatch(line -> line.startsWith("pilot job"));
        }
    }

    @Test
    void aFrameClearsTheRestOfTheScreen() {
        assertThat(Terminal.frame(List.of("a", "b"))).isEqualTo("\u001b[Ha\u001b[K\r\nb\u001b[K\u001b[J");
    }

    @Test
    void terminalSizesAreParsed() {
        assertThat(Terminal.Size.of("50 132\n")).isEqualTo(new Terminal.Size(50, 132));
        assertThat(Terminal.Size.of("0 0\n")).isEqualTo(new Terminal.Size(24, 80));
        assertThat(Terminal.Size.of("")).isEqualTo(new Terminal.Size(24, 80));
    }

    @Test
    void theTerminalIsRestoredOnce() {
        StringWriter drawn = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(drawn));
        terminal.close();
        terminal.close();
        assertThat(drawn.toString()).endsWith("\u001b[?25h\u001b[?1049l").containsOnlyOnce("\u001b[?1049l");
    }

    @Test
    void theScreenNeedsATerminalAndCanBeSwitchedOff() {
        ViewOptions view = new ViewOptions();
        assertThat(view.isScreen(session(true, Map.of("TERM", "xterm")))).isTrue();
        assertThat(view.isScreen(session(false, Map.of("TERM", "xterm")))).isFalse();
        assertThat(view.isScreen(session(true, Map.of("TERM", "dumb")))).isFalse();
        assertThat(view.isScreen(session(true, Map.of("NO_COLOR", "1")))).isFalse();
        assertThat(view.isScreen(session(true, Map.of("NO_COLOR", "")))).isTrue();
        view.plain = true;
        assertThat(view.isScreen(session(true, Map.of("TERM", "xterm")))).isFalse();
    }

    private static Session session(boolean terminal, Map<String, String> environment) {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        Configuration none = Configuration.load(Map.of("SHEAF_SITE_CONFIG", "nowhere"), Path.of("target"));
        return new Session(nowhere, nowhere, none, environment, Path.of(""), terminal);
    }

    @Test
    void onlyTheLastLinesAreStored() {
        LastLines lines = new LastLines(2);
        try (PrintWriter out = new PrintWriter(lines)) {
            out.println("one");
            out.println("two");
            out.print("thr");
            out.println("ee");
            out.print("open");
        }
        assertThat(lines.lines()).containsExactly("two", "three");
    }

    @Test
    void failuresRetriesAndProgressAreColoured() {
        assertThat(Paint.line("    24.6 s  task last failed: exit status 3"))
                .isEqualTo("\u001b[31m    24.6 s  task last failed: exit status 3\u001b[0m");
        assertThat(Paint.line("    24.6 s  task last retried (attempt 2)")).startsWith("\u001b[33m");
        assertThat(Paint.line("progress          [####......] 40.0 %"))
                .isEqualTo("progress          [\u001b[32m####\u001b[0m......] 40.0 %");
        for (String plain : List.of("    1.0 s  task a done (1 of 2)", "    it failed: says the task", "")) {
            assertThat(Paint.line(plain)).isEqualTo(plain);
        }
    }
}
