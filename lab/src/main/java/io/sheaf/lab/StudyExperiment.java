package io.sheaf.lab;

import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Fields;
import io.sheaf.formats.yaml.Node.Items;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An experiment with the key {@code study}: a {@link Study} of that name. */
final class StudyExperiment implements Experiment {
    /** The key that names the kind of study, in a file and in a manifest. */
    static final String KEY = "study";

    /** All studies by name. */
    static final Map<String, Kind> KINDS = kinds();

    /**
     * A kind of study.
     *
     * @param keys all that its files may have
     */
    record Kind(List<String> keys, Study.Columns columns, Maker maker) {}

    /** Reads a study, and notes what is wrong with it. */
    @FunctionalInterface
    interface Maker {
        Study read(Section section, Inputs inputs);
    }

    private static final List<String> FOR_PEOPLE = List.of("title", "about", "quick");

    private final Section section;
    private final Fields fields;
    private final Kind kind;
    private final String name;
    private final String title;

    StudyExperiment(Section section, Fields fields) {
        this.section = section;
        this.fields = fields;
        name = section.text(KEY, "");
        kind = kind(fields);
        title = section.text("title", "Study");
        section.text("about");
    }

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new TreeMap<>();
        kinds.put(
                "asa-convergence",
                new Kind(AsaConvergence.KEYS, AsaConvergence.COLUMNS, (s, i) -> new AsaConvergence(s)));
        kinds.put("asa-workflows", new Kind(AsaWorkflows.KEYS, AsaWorkflows.COLUMNS, AsaWorkflows::new));
        kinds.put("asa-accuracy", new Kind(AsaAccuracy.KEYS, AsaAccuracy.COLUMNS, AsaAccuracy::new));
        kinds.put("prediction", new Kind(PredictionStudy.KEYS, PredictionStudy.COLUMNS, PredictionStudy::new));
        kinds.put(
                "corrected-estimates",
                new Kind(CorrectedEstimates.KEYS, CorrectedEstimates.COLUMNS, CorrectedEstimates::new));
        return kinds;
    }

    /** Which one a file is; refused if there is none of that name. */
    static Kind kind(Fields fields) {
        Node named = fields.get(KEY);
        String name = named instanceof Text text ? text.text() : "";
        Kind kind = KINDS.get(name);
        if (kind == null) {
            throw new InputException("there is no study '" + name + "'." + Nearest.hint(name, KINDS.keySet())
                            + " There are: " + String.join(", ", KINDS.keySet()) + ".")
                    .at(named == null ? fields.place() : named.place());
        }
        return kind;
    }

    /** The study as the only one, without a name: each piece is one run. */
    @Override
    public Compared compared() {
        return new Compared(
                title, List.of(new Text("", Node.Style.QUOTED, section.place())), "", Compared.Reported.NOTHING);
    }

    @Override
    public List<String> columns() {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(kind.columns().keys());
        all.addAll(kind.columns().measures());
        all.add("failure");
        return all;
    }

    @Override
    public Map<String, String> noted() {
        return Map.of(KEY, name, "keys", String.join(",", kind.columns().keys()));
    }

    @Override
    public List<Block> blocks(Inputs inputs, Problems problems) {
        Study study = kind.maker().read(section, inputs);
        return problems.isEmpty() ? List.of(new StudyPieces(study, kind.columns(), text(fields))) : List.of();
    }

    /** What a file says, but for what is meant for people and where it stands. */
    private static String text(Node node) {
        if (node instanceof Text text) {
            return "'" + text.text() + "'";
        }
        StringBuilder text = new StringBuilder("(");
        if (node instanceof Items items) {
            items.items().forEach(each -> text.append(text(each)).append(' '));
        } else if (node instanceof Fields map) {
            for (int i = 0; i < map.size(); i++) {
                String key = map.keys().get(i).text();
                if (!FOR_PEOPLE.contains(key)) {
                    text.append(key)
                            .append('=')
                            .append(text(map.values().get(i)))
                            .append(' ');
                }
            }
        }
        return text.append(')').toString();
    }
}
