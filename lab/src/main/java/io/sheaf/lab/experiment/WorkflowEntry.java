package io.sheaf.lab.experiment;

import io.sheaf.formats.NumberText;
import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.registry.Formats;
import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Amdahl;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Family;
import io.sheaf.workflow.generate.Recipe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An entry below {@code workflows}: files, or a family of generated workflows in all listed sizes and total run times. */
public final class WorkflowEntry {
    public static final List<String> KEYS =
            List.of("files", "file-edges", "or", "generate", "tasks", "work", "seed", "set", "group", "moldable");

    private static final List<String> LAW = List.of("serial", "cores", "over");
    private static final List<Integer> COUNTS = List.of(1, 2, 4, 8, 16);
    private static final String NODE = "node";
    private static final String NODES = "nodes";

    private final Section section;
    private final String group;
    private final @Nullable Boolean fileEdges;
    private final @Nullable Family family;
    private final List<Integer> tasks;
    private final List<String> works;
    private final @Nullable Long seed;
    /** All combinations of the listed parameters of the family. */
    private final List<Map<String, String>> parameters = new ArrayList<>(List.of(Map.of()));

    /** The laws by which tasks are made moldable; empty if they are not. */
    private final List<Amdahl> laws = new ArrayList<>();

    private final List<WorkflowEntry> alternatives = new ArrayList<>();

    private WorkflowEntry(Section section, @Nullable WorkflowEntry insteadOf) {
        this.section = section;
        group = section.text("group", insteadOf == null ? "" : insteadOf.group);
        fileEdges = section.has("file-edges")
                ? Boolean.valueOf(section.one("file-edges", "true", Section.word("true", "false")))
                : null;
        Text name = section.text("generate");
        family = name == null ? null : section.problems().get(name.place(), () -> Families.named(name.text()));
        tasks = section.each("tasks", List.of(0), Section.whole(1));
        works = section.each("work", List.of(""), WorkflowEntry::work);
        seed = section.has("seed") ? section.one("seed", 0L, Section::seed) : null;
        readParameters();
        laws.addAll(insteadOf == null || section.has("moldable") ? readLaws() : insteadOf.laws);
        if (section.has("files") == section.has("generate")) {
            section.problem("a workflow is either 'files' or 'generate', one of them");
        }
    }

    /** A total run time, as written. */
    private static String work(String text) {
        if (TimeText.micros(text) == 0) {
            throw new InputException("'" + text + "' must be more than 0; leave it out for the family's own run times");
        }
        return text.strip();
    }

    private static long micros(String work) {
        return work.isEmpty() ? 0 : TimeText.micros(work);
    }

    public static WorkflowEntry read(Mapping fields, Problems problems) {
        WorkflowEntry entry = new WorkflowEntry(new Section(fields, "a workflow", KEYS, problems), null);
        for (Mapping other : entry.section.maps("or")) {
            entry.alternatives.add(new WorkflowEntry(new Section(other, "'or'", KEYS, problems), entry));
        }
        return entry;
    }

    private void readParameters() {
        Node set = section.node("set");
        if (set instanceof Mapping fields) {
            Section values = new Section(
                    fields, "'set'", fields.keys().stream().map(Text::text).toList(), section.problems());
            fields.keys().forEach(key -> combine(key.text(), values.texts(key.text())));
        } else if (set != null) {
            section.problems().add("'set' must be a map from parameters to values", set.place());
        }
        Family of = family;
        if (of != null) {
            section.problems().get(section.place(), () -> {
                Recipe recipe = new Recipe(0, 0, 0, parameters.isEmpty() ? Map.of() : parameters.get(0));
                recipe.check(of);
                return recipe;
            });
        }
    }

    private List<Amdahl> readLaws() {
        List<Amdahl> found = new ArrayList<>();
        for (Mapping fields : section.maps("moldable")) {
            Section law = new Section(fields, "'moldable'", LAW, section.problems());
            List<Integer> counts = law.each("cores", COUNTS, Section.whole(1));
            boolean overNodes = law.one("over", NODE, Section.word(NODE, NODES)).equals(NODES);
            law.each("serial", List.of(0.1), WorkflowEntry::fraction)
                    .forEach(serial -> found.add(new Amdahl(serial, counts, overNodes)));
        }
        return found;
    }

    private static double fraction(String text) {
        double value = NumberText.decimal(text.strip());
        if (value >= 0 && value <= 0.5) {
            return value;
        }
        throw new InputException("'" + text + "' is not a mean serial fraction; write a number from 0 to 0.5");
    }

    /** The workflow as it is, or once for each law. */
    private List<WorkflowInstance> molded(WorkflowInstance plain) {
        return laws.isEmpty()
                ? List.of(plain)
                : laws.stream()
                        .map(law -> new WorkflowInstance(
                                plain.name() + "-serial" + DecimalText.fixed(law.serial(), 2)
                                        + (law.overNodes() ? "-nodes" : ""),
                                plain.group(),
                                plain.isGenerated(),
                                law.of(plain.workflow())))
                        .toList();
    }

    /** Combines each combination with each of these values. */
    private void combine(String name, List<Text> values) {
        List<Map<String, String>> before = new ArrayList<>(parameters);
        parameters.clear();
        for (Map<String, String> combination : before) {
            for (Text value : values) {
                Map<String, String> more = new LinkedHashMap<>(combination);
                more.put(name, value.text());
                parameters.add(more);
            }
        }
    }

    /** The workflows; reports problems. */
    public List<WorkflowInstance> instances(Inputs inputs, long experimentSeed) {
        if (family != null) {
            return generated(family, seed == null ? experimentSeed : seed).stream()
                    .flatMap(each -> molded(each).stream())
                    .toList();
        }
        List<WorkflowInstance> all = new ArrayList<>();
        for (Text pattern : section.texts("files")) {
            List<Path> files = Objects.requireNonNullElse(
                    section.problems().get(pattern.place(), () -> inputs.matching(pattern.text())), List.of());
            if (files.isEmpty() && alternatives.isEmpty()) {
                section.problems()
                        .add(
                                "no workflow '" + pattern.text()
                                        + "' here or in a --data folder; name an existing file, or add an 'or'",
                                pattern.place());
            }
            for (Path file : files) {
                WorkflowInstance read = section.problems().get(pattern.place(), () -> read(file));
                if (read != null) {
                    all.addAll(molded(read));
                }
            }
        }
        if (all.isEmpty()) {
            alternatives.forEach(other -> all.addAll(other.instances(inputs, experimentSeed)));
        }
        return all;
    }

    private WorkflowInstance read(Path file) {
        Source source = Source.of(file);
        WorkflowReader reader = Formats.readerFor(source);
        try {
            Workflow workflow = reader.read(source, fileEdges == null ? reader.fileEdgesByDefault() : fileEdges);
            if (workflow.size() == 0) {
                throw new InputException("a workflow without tasks has nothing to run").in(file.toString());
            }
            return new WorkflowInstance(source.stem(), group, false, workflow);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<WorkflowInstance> generated(Family from, long drawnFrom) {
        List<WorkflowInstance> all = new ArrayList<>();
        for (int size : tasks) {
            for (String work : works) {
                for (Map<String, String> set : parameters) {
                    Recipe recipe = new Recipe(size, micros(work), drawnFrom, set);
                    Workflow made = section.problems().get(section.place(), () -> from.generate(recipe));
                    if (made != null) {
                        String name = from.name() + "-" + made.size() + (work.isEmpty() ? "" : "-" + work);
                        all.add(new WorkflowInstance(name + text(set), group, true, made));
                    }
                }
            }
        }
        return all;
    }

    private static String text(Map<String, String> set) {
        StringBuilder text = new StringBuilder();
        set.forEach((name, value) -> text.append('-').append(name).append(value));
        return text.toString();
    }
}
