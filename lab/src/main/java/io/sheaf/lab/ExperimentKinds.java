package io.sheaf.lab;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.formats.yaml.YamlTree;
import io.sheaf.lab.experiment.Experiment;
import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Problems;
import io.sheaf.lab.experiment.Section;
import io.sheaf.lab.platform.PlatformExperiment;
import io.sheaf.lab.pool.PoolExperiment;
import io.sheaf.lab.queue.QueueExperiment;
import io.sheaf.lab.study.AsaAccuracy;
import io.sheaf.lab.study.AsaConvergence;
import io.sheaf.lab.study.AsaWorkflows;
import io.sheaf.lab.study.CorrectedEstimates;
import io.sheaf.lab.study.PredictionStudy;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;

/** The registry of all kinds of experiments; reads experiment files. */
final class ExperimentKinds {
    /** All kinds; the first is that of files without the key of another kind. */
    static final List<ExperimentKind> ALL = List.of(
            QueueExperiment.KIND,
            PlatformExperiment.KIND,
            PoolExperiment.KIND,
            AsaAccuracy.KIND,
            AsaConvergence.KIND,
            AsaWorkflows.KIND,
            CorrectedEstimates.KIND,
            PredictionStudy.KIND);

    private ExperimentKinds() {}

    /** Reads a file. The keys below {@code quick} replace those of the file in the quick form; they are checked in both forms. */
    static Experiment read(Source source, boolean quick, Problems problems) {
        Mapping fields;
        ExperimentKind kind;
        try {
            fields = YamlTree.read(source);
            kind = kind(fields);
        } catch (InputException e) {
            problems.add(e);
            problems.check();
            throw e;
        }
        Section whole = new Section(fields, "the file", kind.keys(), problems);
        if (whole.node("quick") instanceof Mapping less) {
            Section section = new Section(replaced(fields, less), "'quick'", kind.keys(), problems);
            Experiment small = kind.reader().apply(section);
            return quick ? small : kind.reader().apply(whole);
        }
        return kind.reader().apply(whole);
    }

    private static ExperimentKind kind(Mapping fields) {
        Node study = fields.get(ExperimentKind.STUDY);
        if (study != null) {
            return study(study);
        }
        return ALL.stream()
                .filter(kind -> fields.get(kind.key()) != null)
                .findFirst()
                .orElse(ALL.get(0));
    }

    private static ExperimentKind study(Node named) {
        String name = named instanceof Text text ? text.text() : "";
        List<String> known = ALL.stream()
                .map(ExperimentKind::value)
                .filter(value -> !value.isEmpty())
                .sorted()
                .toList();
        return ALL.stream()
                .filter(kind -> !name.isEmpty() && kind.value().equals(name))
                .findFirst()
                .orElseThrow(() -> InputException.unknown("study", name, known).at(named.place()));
    }

    private static Mapping replaced(Mapping all, Mapping less) {
        List<Text> keys = new ArrayList<>(less.keys());
        List<Node> values = new ArrayList<>(less.values());
        all.forEach((key, value) -> {
            if (less.get(key.text()) == null) {
                keys.add(key);
                values.add(value);
            }
        });
        return new Mapping(keys, values, false, all.place(), all.weight());
    }
}
