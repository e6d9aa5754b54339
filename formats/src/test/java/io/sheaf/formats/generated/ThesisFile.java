package io.sheaf.formats.generated;

import io.sheaf.testing.Shared;
import io.sheaf.text.Place;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Family;
import io.sheaf.workflow.generate.Recipe;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * A workflow file of the thesis and the recipe that generates similar workflows.
 *
 * <p>The file is read by code of its own and not by Sheaf's DAX reader, so that the two can be compared.
 */
record ThesisFile(String name, Workflow workflow, Family family, Map<String, String> parameters) {
    private static final long HOUR = 3_600_000_000L;

    /** All available files, ordered by name; without files the calling test is skipped. */
    static List<ThesisFile> all() {
        return files("");
    }

    static List<ThesisFile> of(Family family) {
        return files(family.name().toUpperCase(Locale.ROOT));
    }

    private static List<ThesisFile> files(String prefix) {
        return Shared.files("data/workflows/dax", ".dax").stream()
                .filter(path -> path.getFileName().toString().startsWith(prefix))
                .map(ThesisFile::of)
                .toList();
    }

    private static ThesisFile of(Path path) {
        String name = path.getFileName().toString().replace(".dax", "");
        Workflow workflow = read(path, name);
        Family family = Families.named(name.substring(0, name.indexOf('_')).toLowerCase(Locale.ROOT));
        Map<String, String> parameters = new HashMap<>();
        // Values that the thesis' generator drew once per workflow and Sheaf's generator takes as parameters.
        if (family.name().equals("cybershake")) {
            parameters.put("extracts", Integer.toString(workflow.width(0)));
        } else if (family.name().equals("genome")) {
            parameters.put("reference", Long.toString(size(workflow, "chr21.BS.bfa")));
        }
        return new ThesisFile(name, workflow, family, parameters);
    }

    /**
     * Generates a workflow similar to this file. Equal seeds give different workflows for different files. The numbers
     * of tasks and hours of work are those in the file's name, but SIPHT's tasks are counted: its files have 48 and 242
     * tasks for 50 and 250.
     */
    Workflow generate(long seed) {
        String[] parts = name.split("_");
        int tasks = family.name().equals("sipht") ? workflow.size() : Integer.parseInt(parts[1]);
        long hours = Long.parseLong(parts[2]) / 3600;
        return family.generate(new Recipe(tasks, hours * HOUR, 1000L * name.hashCode() + seed, parameters));
    }

    @Override
    public String toString() {
        return name;
    }

    private static long size(Workflow workflow, String file) {
        for (int i = 0; i < workflow.files(); i++) {
            if (workflow.fileName(i).equals(file)) {
                return workflow.fileSize(i);
            }
        }
        throw new IllegalArgumentException(file);
    }

    private static Workflow read(Path path, String name) {
        WorkflowBuilder builder = new WorkflowBuilder(name);
        try (InputStream in = Files.newInputStream(path)) {
            XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            int task = -1;
            String child = "";
            while (xml.hasNext()) {
                if (xml.next() != XMLStreamReader.START_ELEMENT) {
                    continue;
                }
                switch (xml.getLocalName()) {
                    case "job" -> {
                        task = builder.task(xml.getAttributeValue(null, "id"));
                        builder.category(task, xml.getAttributeValue(null, "name"));
                        builder.time(
                                task,
                                new BigDecimal(xml.getAttributeValue(null, "runtime"))
                                        .movePointRight(6)
                                        .longValueExact());
                    }
                    case "uses" -> {
                        long bytes = Long.parseLong(xml.getAttributeValue(null, "size"));
                        int file = builder.file(xml.getAttributeValue(null, "file"), bytes);
                        if (xml.getAttributeValue(null, "link").equals("input")) {
                            builder.input(task, file);
                        } else {
                            builder.output(task, file);
                        }
                    }
                    case "child" -> child = xml.getAttributeValue(null, "ref");
                    case "parent" -> builder.edge(xml.getAttributeValue(null, "ref"), child, Place.NONE);
                    default -> {}
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (XMLStreamException e) {
            throw new IllegalStateException(path.toString(), e);
        }
        return builder.build();
    }
}
