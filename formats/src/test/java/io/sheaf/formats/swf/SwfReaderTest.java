package io.sheaf.formats.swf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SwfReaderTest {
    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = SwfReaderTest.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new AssertionError("no test file " + name);
            }
            return in.readAllBytes();
        }
    }

    private static Source source(String name, byte[] bytes) {
        return Source.of(name, bytes);
    }

    private static SwfLog quirks() throws IOException {
        return SwfReader.strict().read(source("quirks.swf", bytes("quirks.swf")));
    }

    @Test
    void readsBlanksTabsFractionsExponentsGapsAndExtraColumns() throws IOException {
        SwfLog log = quirks();
        assertThat(log.size()).isEqualTo(5);
        assertThat(log.job(0)).isEqualTo(15);
        assertThat(log.submit(0)).isEqualTo(599_850_000);
        assertThat(log.waited(0)).isEqualTo(192_180_000);
        assertThat(log.requestedTime(0)).isEqualTo(53_940_000);
        assertThat(log.run(1)).isEqualTo(10_250);
        assertThat(log.value(SwfField.CPU_TIME, 1)).isEqualTo(7_380);
        assertThat(log.value(SwfField.PARTITION, 1)).isEqualTo(1);
        assertThat(log.run(2)).isEqualTo(SwfLog.UNKNOWN);
        assertThat(log.procs(2)).as("requested where none were allocated").isEqualTo(2);
        assertThat(log.value(SwfField.USED_MEMORY, 3)).isEqualTo(513);
        assertThat(log.value(SwfField.REQUESTED_MEMORY, 3)).isEqualTo(1000);
        assertThat(log.value(SwfField.PRECEDING_JOB, 3)).isEqualTo(15);
        assertThat(log.value(SwfField.THINK_TIME, 3)).isEqualTo(30_500);
        assertThat(log.job(4)).isEqualTo(21);
        assertThat(log.submit(4)).isEqualTo(600_000_000);
        assertThat(log.run(4)).isZero();
        assertThat(log.malformedLines()).isZero();
    }

    @Test
    void keepsTheHeaderAsOrderedPairs() throws IOException {
        SwfHeader header = quirks().header();
        assertThat(header.entries().get(0)).isEqualTo(new SwfHeader.HeaderField("Version", "2.2"));
        assertThat(header.all("information")).containsExactly("written by hand\nhttp://example.org/looks-like-a-key");
        assertThat(header.all("Queue")).containsExactly("0  interactive", "1  batch");
        assertThat(header.number("UnixStartTime")).hasValue(1_000_000_000);
        assertThat(header.number("Computer")).isEmpty();
        assertThat(header.machineSize()).hasValue(18);
    }

    @Test
    void anIndentedLineContinuesAValue() {
        assertThat(SwfHeader.ofLines(List.of(" Computer: a", "       b", " MaxNodes: 4"))
                        .entries())
                .containsExactly(
                        new SwfHeader.HeaderField("Computer", "a\nb"), new SwfHeader.HeaderField("MaxNodes", "4"));
    }

    @Test
    void malformedLinesAreReportedWithTheirPositionAndSkipped() throws IOException {
        List<String> problems = new ArrayList<>();
        SwfLog log = SwfReader.lenient(p -> problems.add(p.getMessage())).read(source("m.swf", bytes("malformed.swf")));
        assertThat(log.size()).isEqualTo(2);
        assertThat(log.job(1)).isEqualTo(7);
        assertThat(log.malformedLines()).isEqualTo(5);
        assertThat(problems)
                .containsExactly(
                        "m.swf:3: the line has 17 fields, SWF has 18",
                        "m.swf:4:7: run time 'ten' is not a number",
                        "m.swf:5:10: allocated processors '1.5' is not a whole number",
                        "m.swf:6:28: user 99999999999 is out of range",
                        "m.swf:7:7: run time '1e999999999' is out of range");
    }

    @Test
    void strictReaderStopsAtTheFirstMalformedLine() {
        assertThatThrownBy(() -> SwfReader.strict().read(source("m.swf", bytes("malformed.swf"))))
                .isInstanceOf(InputException.class)
                .hasMessage("m.swf:3: the line has 17 fields, SWF has 18");
    }

    @Test
    void filesThatAreNoLogsAndMissingFilesAreRefused() {
        byte[] text = "hello\nworld\n".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> SwfReader.lenient(p -> {}).read(source("x", text)))
                .hasMessageContaining("x: not an SWF log: none of its 2 lines");
        assertThatThrownBy(() -> SwfReader.strict().read(Source.of(Path.of("absent.swf"))))
                .hasMessage("absent.swf: there is no such file");
    }

    @Test
    void detectsGzipByItsMagicNumberAndReportsDamage() throws IOException {
        byte[] plain = bytes("quirks.swf");
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream gz = new GZIPOutputStream(zipped)) {
            gz.write(plain);
        }
        byte[] bytes = zipped.toByteArray();
        assertThat(SwfReader.strict().read(source("q", bytes)).size()).isEqualTo(5);
        byte[] cut = Arrays.copyOf(bytes, bytes.length - 20);
        assertThatThrownBy(() -> SwfReader.strict().read(source("q", cut)))
                .hasMessageMatching("q:\\d+: the gzip data is damaged or cut off; fetch the file again");
    }

    @Test
    void aWrittenLogReadsBackUnchanged(@TempDir Path dir) throws IOException {
        SwfLog log = quirks();
        for (String name : List.of("copy.swf", "copy.swf.gz")) {
            Path file = dir.resolve(name);
            SwfWriter.write(log, file);
            assertThat(Files.readAllBytes(file)[0] == 0x1f).isEqualTo(name.endsWith(".gz"));
            assertSame(log, SwfReader.strict().read(Source.of(file)));
        }
    }

    @Test
    void randomLogsSurviveTheRoundTrip() throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        SwfLog.Builder builder = SwfLog.builder();
        long[] row = new long[SwfField.COUNT];
        for (int i = 0; i < 3000; i++) {
            for (SwfField f : SwfField.values()) {
                row[f.number() - 1] = switch (f.kind()) {
                    case TIME -> random.nextInt(4) == 0 ? -1 : random.nextLong(-5_000, 2_000_000_000_000L);
                    case COUNT -> random.nextInt();
                    case MEMORY -> random.nextLong(-1, 1L << 40);
                };
            }
            builder.add(row);
        }
        SwfLog log = builder.build(new SwfHeader(List.of()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SwfWriter.write(log, out);
        assertSame(log, SwfReader.strict().read(source("random", out.toByteArray())));
    }

    @Test
    void damagedBytesCauseOnlyReportedProblems() throws IOException {
        byte[] undamaged = bytes("quirks.swf");
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 3000; round++) {
            byte[] damaged = undamaged.clone();
            for (int k = random.nextInt(1, 12); k > 0; k--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            List<InputException> problems = new ArrayList<>();
            try {
                SwfLog log = SwfReader.lenient(problems::add).read(source("bad", damaged));
                assertThat(log.malformedLines()).isEqualTo(problems.size());
                SwfStatistics.of(log);
            } catch (InputException e) {
                assertThat(e).hasMessageStartingWith("bad:");
            }
        }
    }

    @Test
    void windowsLineEndsAreRead() throws IOException {
        String text = new String(bytes("quirks.swf"), StandardCharsets.UTF_8).replace("\n", "\r\n");
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertSame(quirks(), SwfReader.strict().read(source("quirks.swf", bytes)));
    }

    @Test
    void linesLongerThanTheBufferAreRead() throws IOException {
        String line = " ".repeat(200_000) + "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1";
        SwfLog log = SwfReader.strict().read(source("long", line.getBytes(StandardCharsets.UTF_8)));
        assertThat(log.size()).isEqualTo(1);
    }

    static void assertSame(SwfLog expected, SwfLog actual) {
        assertThat(actual.size()).isEqualTo(expected.size());
        assertThat(actual.header()).isEqualTo(expected.header());
        for (SwfField f : SwfField.values()) {
            for (int i = 0; i < expected.size(); i++) {
                if (expected.value(f, i) != actual.value(f, i)) {
                    assertThat(actual.value(f, i)).as(f + " of line " + i).isEqualTo(expected.value(f, i));
                }
            }
        }
    }
}
