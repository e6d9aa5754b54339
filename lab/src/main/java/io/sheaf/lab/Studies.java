package io.sheaf.lab;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node.Fields;
import io.sheaf.formats.yaml.YamlTree;
import io.sheaf.sim.campaign.Workers;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An experiment file with the key {@code study}: read, run, and written as a table.
 *
 * <p>Studies take seconds to minutes and are run as a whole: there are no shards, and one that was interrupted is run again.
 */
public final class Studies {
    /** All studies by name. */
    static final Map<String, Reader> KINDS = kinds();

    /** The column in which a manifest names the kind of study. */
    public static final String KEY = "study";

    /** Makes a study of a file. */
    record Reader(List<String> keys, Maker maker) {}

    /** See {@link Reader}. */
    @FunctionalInterface
    interface Maker {
        Study read(Section section, Inputs inputs);
    }

    private final String title;
    private final String kind;
    private final Study study;
    private final Inputs inputs;
    private final boolean quick;

    private Studies(String title, String kind, Study study, Inputs inputs, boolean quick) {
        this.title = title;
        this.kind = kind;
        this.study = study;
        this.inputs = inputs;
        this.quick = quick;
    }

    private static Map<String, Reader> kinds() {
        Map<String, Reader> kinds = new TreeMap<>();
        kinds.put("asa-convergence", new Reader(AsaConvergence.KEYS, AsaConvergence::read));
        kinds.put("asa-workflows", new Reader(AsaWorkflows.KEYS, AsaWorkflows::read));
        kinds.put("asa-accuracy", new Reader(AsaAccuracy.KEYS, AsaAccuracy::read));
        kinds.put("prediction", new Reader(PredictionStudy.KEYS, PredictionStudy::read));
        kinds.put("corrected-estimates", new Reader(CorrectedEstimates.KEYS, CorrectedEstimates::read));
        return kinds;
    }

    /** Reads a study with all that it names, and refuses it with all that is wrong; null if the file is another experiment. */
    public static @Nullable Studies read(Path file, List<Path> data, boolean quick) {
        Fields fields;
        try {
            fields = YamlTree.read(Source.of(file));
        } catch (InputException e) {
            // Told by the one who reads it next.
            return null;
        }
        Problems problems = new Problems(file.toString());
        String kind = new Section(fields, "", keys(fields), problems).text(KEY, "");
        if (kind.isEmpty()) {
            return null;
        }
        Reader reader = KINDS.get(kind);
        if (reader == null) {
            throw new InputException("there is no study '" + kind + "'." + Nearest.hint(kind, KINDS.keySet())
                            + " There are: " + String.join(", ", KINDS.keySet()) + ".")
                    .in(file.toString());
        }
        List<Path> folders = new ArrayList<>();
        folders.add(file.toAbsolutePath().getParent());
        folders.addAll(data);
        Inputs inputs = new Inputs(folders);
        Section whole = new Section(fields, "the file", reader.keys(), problems);
        Section chosen = whole;
        if (whole.node("quick") instanceof Fields less) {
            Section small = new Section(ExperimentFile.replaced(fields, less), "'quick'", reader.keys(), problems);
            chosen = quick ? small : whole;
        }
        Study study = reader.maker().read(chosen, inputs);
        problems.check();
        return new Studies(whole.text("title", "Study"), kind, study, inputs, quick);
    }

    private static List<String> keys(Fields fields) {
        return fields.keys().stream().map(key -> key.text()).toList();
    }

    public String title() {
        return title;
    }

    /** Makes the table, and says how many rows it has. */
    public int run(Path folder, int threads, String version, String command) {
        List<List<List<String>>> made = new ArrayList<>();
        for (int i = 0; i < study.items(); i++) {
            made.add(List.of());
        }
        Workers.run(threads, made.size(), () -> item -> made.set(item, study.rows(item)), () -> {});
        StringBuilder text = new StringBuilder();
        List<String> head = new ArrayList<>(study.keys());
        head.addAll(study.measures());
        line(text, head);
        made.forEach(rows -> rows.forEach(row -> line(text, row)));
        try {
            Files.createDirectories(folder);
            replace(folder.resolve(Lab.TABLE), text.toString());
            Manifest.write(folder, manifest(version, command), inputs);
        } catch (IOException e) {
            throw new InputException("cannot be written: " + e.getMessage()).in(folder.toString());
        }
        return made.stream().mapToInt(List::size).sum();
    }

    private Map<String, String> manifest(String version, String command) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("title", title);
        values.put(KEY, kind);
        values.put("keys", String.join(",", study.keys()));
        values.put("version", version);
        values.put("command", command);
        values.put("quick", Boolean.toString(quick));
        return values;
    }

    private static void line(StringBuilder text, List<String> fields) {
        for (int i = 0; i < fields.size(); i++) {
            text.append(i == 0 ? "" : ",").append(RunTable.quoted(fields.get(i)));
        }
        text.append('\n');
    }

    private static void replace(Path file, String text) throws IOException {
        Path made = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(made, text, StandardCharsets.UTF_8);
        Files.move(made, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
