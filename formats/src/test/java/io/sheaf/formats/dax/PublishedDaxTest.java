package io.sheaf.formats.dax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.formats.Source;
import io.sheaf.testing.Shared;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that every published DAX file has the figures of its description. */
class PublishedDaxTest {
    @Test
    void figuresEqualTheDescription() throws IOException {
        List<String[]> rows = described();
        assertThat(rows).hasSize(33);
        for (String[] row : rows) {
            Path file = Shared.path("data/workflows/dax").resolve(row[1]);
            check(new DaxReader().read(Source.of(file), false), row);
        }
        assertThat(Shared.files("data/workflows/dax", ".dax")).hasSize(rows.size());
    }

    /** The rows of the table of DAX files, split into cells. */
    private static List<String[]> described() throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Shared.path("data/PROVENANCE.md"))) {
            String[] cells = line.split("\\s*\\|\\s*", -1);
            if (cells.length > 11 && cells[1].endsWith(".dax")) {
                rows.add(cells);
            }
        }
        return rows;
    }

    private static void check(Workflow w, String[] row) {
        long roots = IntStream.range(0, w.size()).filter(t -> w.parents(t) == 0).count();
        long sinks =
                IntStream.range(0, w.size()).filter(t -> w.children(t) == 0).count();
        String counts = String.join(
                " ",
                Integer.toString(w.size()),
                Integer.toString(w.edges()),
                Long.toString(roots),
                Long.toString(sinks),
                Integer.toString(w.levels()),
                Integer.toString(w.maxWidth()));
        assertThat(counts).as(row[1]).isEqualTo(String.join(" ", List.of(row).subList(3, 9)));
        long[] times =
                IntStream.range(0, w.size()).mapToLong(w::timeMicros).sorted().toArray();
        String[] minAndMax = row[11].split("/");
        checkTime(row[1] + " total", w.totalMicros(), row[9]);
        checkTime(row[1] + " critical path", w.criticalPathMicros(), row[10]);
        checkTime(row[1] + " shortest task", times[0], minAndMax[0]);
        checkTime(row[1] + " longest task", times[times.length - 1], minAndMax[1]);
    }

    /**
     * Allows half a unit of the described number's last digit: two totals end in exactly .5 and were rounded as
     * binary fractions.
     */
    private static void checkTime(String label, long micros, String described) {
        BigDecimal expected = new BigDecimal(described);
        BigDecimal half = expected.ulp().divide(BigDecimal.valueOf(2));
        assertThat(BigDecimal.valueOf(micros, 6)).as(label).isCloseTo(expected, within(half));
    }
}
