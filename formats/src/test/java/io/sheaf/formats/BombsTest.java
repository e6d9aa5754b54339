package io.sheaf.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.registry.Formats;
import io.sheaf.formats.slurm.SacctReader;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.formats.yaml.YamlTree;
import io.sheaf.text.InputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that small files that expand to gigabytes or nest very deeply are refused with one line, in bounded time and
 * memory.
 */
@Timeout(60)
class BombsTest {
    /** Larger than the tests' heap. */
    private static final int MEGABYTES = 10 << 10;

    @TempDir
    Path folder = Path.of("");

    /** Concatenated gzip members are one file, so a file of ten gigabytes is created quickly. */
    private static Source bomb(String name, String head, String unit) throws IOException {
        return Source.of(name, bytes(head, unit));
    }

    private static byte[] bytes(String head, String unit) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(gzip(head));
        byte[] member = gzip(unit.repeat((1 << 20) / unit.length()));
        for (int i = 0; i < MEGABYTES; i++) {
            file.write(member);
        }
        return file.toByteArray();
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        }
        return packed.toByteArray();
    }

    private interface Reading {
        void read() throws IOException;
    }

    private static void assertRefused(String name, Reading reading) {
        assertThatThrownBy(reading::read)
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(name + ":")
                .message()
                .doesNotContain("\n")
                .hasSizeLessThan(300);
    }

    @ParameterizedTest
    @CsvSource({
        "w.yaml.gz, 'tasks: {a: {run: \"', x",
        "w.yaml.gz, 'tasks: {a: {run: \"', 'word\n'",
        "w.yaml.gz, '', '# a comment\n'",
        "w.yaml.gz, 'tasks:\n', '  a:\n'",
        "w.json.gz, '{\"name\": \"', x",
        "w.json.gz, '{\"name\": \"w\", ', ' '",
        "w.json.gz, '{\"name\": \"w\", \"workflow\": {\"specification\": {\"tasks\": [', '{\"name\": \"a\"},'",
        "w.dax.gz, '<adag name=\"', x",
        "w.dax.gz, '<adag name=\"w\"><job id=\"a\" name=\"b\"><argument>', x",
        "w.dax.gz, '<adag name=\"w\">', '<!-- a comment -->'",
        "w.yml.gz, 'pegasus: \"5.0\"\nname: w\njobs:\n', '  - {type: job, id: a, name: b}\n'",
        "w.dag.gz, 'JOB a ', x",
        "w.dag.gz, '', '# a comment\n'",
        "w.makeflow.gz, 'A=', x",
        "w.makeflow.gz, '', '# a comment\n'"
    })
    void compressedWorkflowBombsAreRefused(String name, String head, String unit) throws IOException {
        Source source = bomb(name, head, unit);
        assertRefused(name, () -> Formats.readerFor(source).read(source, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "1", "; a comment\n", "\n", "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1\n"})
    void compressedLogBombsAreRefused(String unit) throws IOException {
        assertRefused("log.swf.gz", () -> SwfReader.strict().read(bomb("log.swf.gz", "", unit)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1|", "\n", "x"})
    void compressedAccountingBombsAreRefused(String unit) throws IOException {
        assertRefused("jobs.gz", () -> SacctReader.strict(SacctReader.Unit.NODES, ZoneOffset.UTC)
                .read(bomb("jobs.gz", "JobID|Submit|Start|End|State|NNodes\n", unit)));
    }

    /** Parameters, configuration, platforms and experiments use this reader. */
    @ParameterizedTest
    @CsvSource({"'a: \"', x", "'', '# a comment\n'", "'a: [', '1, '", "'a:\n', '  - 1\n'"})
    void compressedYamlBombsAreRefused(String head, String unit) throws IOException {
        Source source = bomb("p.yaml.gz", head, unit);
        assertRefused("p.yaml.gz", () -> YamlTree.read(source));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1,2\n", "\n", "\0"})
    void compressedTableBombsAreRefused(String unit) throws IOException {
        Files.write(folder.resolve("t.csv"), bytes("a,b\n", unit));
        assertRefused(folder.resolve("w.yaml") + ":1:28: " + folder.resolve("t.csv"), () -> readTable());
    }

    /** The file is sparse and takes no space on the disk. */
    @Test
    void aHugeTableOfZerosIsRefused() throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(folder.resolve("t.csv").toFile(), "rw")) {
            file.setLength((long) MEGABYTES << 20);
        }
        assertRefused(folder.resolve("t.csv").toString(), () -> readTable());
    }

    private void readTable() throws IOException {
        Path file =
                Files.writeString(folder.resolve("w.yaml"), "tasks: {t: {foreach: {csv: t.csv}, run: 'echo {a}'}}\n");
        Formats.reader("yaml").read(Source.of(file), true);
    }

    /** A pipe may never end, so reading it stops at a limit. */
    @Test
    void anEndlessPipeIsRefused() {
        InputStream zeros = new InputStream() {
            @Override
            public int read() {
                return 0;
            }

            @Override
            public int read(byte[] into, int from, int length) {
                return length;
            }
        };
        assertRefused("standard input", () -> Source.readOnce("standard input", zeros));
    }

    @Test
    void aLargeOrdinaryCompressedFileIsRead() throws IOException {
        StringBuilder jobs = new StringBuilder();
        for (int i = 1; i <= 20_000; i++) {
            jobs.append(i + " " + 7L * i + " " + i % 977 + " " + i * 31 % 7919 + " 4 -1 -1 4 9000 -1 1 " + i % 53
                    + " 1 -1 1 -1 -1 -1\n");
        }
        Source source = Source.of("log.swf.gz", gzip(jobs.toString()));
        assertThat(SwfReader.strict().read(source).size()).isEqualTo(20_000);
    }

    @ParameterizedTest
    @CsvSource({
        "w.yaml, 'tasks: ', [, 200000",
        "w.yaml, 'tasks: {a: {run: ', [, 200000",
        "w.yaml, 'tasks: ', '{a: ', 200000",
        "w.json, '{\"name\": \"w\", \"x\": ', [, 1000000",
        "w.json, '{\"name\": \"w\", \"workflow\": ', '{\"workflow\": ', 1000000",
        "w.dax, '<adag name=\"w\">', '<job id=\"a\" name=\"b\">', 1000000",
        "w.dax, '<adag name=\"w\" xmlns:o=\"o\">', '<o:x>', 1000000"
    })
    void deepNestingIsRefused(String name, String head, String unit, int times) {
        byte[] text = (head + unit.repeat(times)).getBytes(StandardCharsets.UTF_8);
        Source source = Source.of(name, text);
        assertRefused(name, () -> Formats.readerFor(source).read(source, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tasks: {a: {run: \"", "tasks: {a: {run: '", "tasks: {a: {run: ", "tasks: [", "# "})
    void veryLongWordsAreRefused(String head) {
        byte[] text = (head + "x".repeat(64 << 20)).getBytes(StandardCharsets.UTF_8);
        assertRefused("w.yaml", () -> Formats.reader("yaml").read(Source.of("w.yaml", text), true));
        assertRefused("w.yaml", () -> YamlTree.read(Source.of("w.yaml", text)));
    }

    @Test
    void nestedAndExternalEntitiesAreRefused() {
        StringBuilder laughs = new StringBuilder("<!DOCTYPE adag [<!ENTITY e0 \"ha\">");
        for (int i = 1; i < 10; i++) {
            laughs.append("<!ENTITY e" + i + " \"" + ("&e" + (i - 1) + ";").repeat(10) + "\">");
        }
        for (String head :
                new String[] {laughs + "]>", "<!DOCTYPE adag [<!ENTITY e9 SYSTEM \"file:///etc/passwd\">]>"}) {
            byte[] text = (head + "<adag name=\"&e9;\"/>").getBytes(StandardCharsets.UTF_8);
            Source source = Source.of("w.dax", text);
            assertRefused("w.dax", () -> Formats.reader("dax").read(source, true));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tasks: {t: {run: 'echo {a29}'}}",
                "tasks: {t: {run: 'true', env: {A: '{a29}'}}}",
                "tasks: {t: {run: 'true', out: '{a29}'}}",
                "tasks: {'{a29}': {run: 'true'}}"
            })
    void nestedVariablesThatGrowAreRefused(String tasks) {
        StringBuilder vars = new StringBuilder("vars:\n  a0: xxxxxxxxxx\n");
        for (int i = 1; i < 30; i++) {
            vars.append("  a" + i + ": \"" + ("{a" + (i - 1) + "}").repeat(4) + "\"\n");
        }
        Source source = Source.of("w.yaml", (vars + tasks + "\n").getBytes(StandardCharsets.UTF_8));
        assertRefused("w.yaml", () -> Formats.reader("yaml").read(source, true));
    }

    /** Each value alone is within its limit, but all of them together exceed it. */
    @Test
    void manyLongVariablesAreRefused() {
        StringBuilder vars = new StringBuilder("vars:\n  a0: " + "x".repeat(1 << 20) + "\n  list:\n");
        vars.append("    - \"{a0}{a0}{a0}{a0}\"\n".repeat(2_000));
        Source source = Source.of("w.yaml", (vars + "tasks: {t: {run: 'true'}}\n").getBytes(StandardCharsets.UTF_8));
        assertRefused("w.yaml", () -> Formats.reader("yaml").read(source, true));
    }
}
