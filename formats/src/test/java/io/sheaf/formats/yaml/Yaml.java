package io.sheaf.formats.yaml;

import io.sheaf.formats.Source;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads and writes Sheaf YAML in tests. */
final class Yaml {
    private Yaml() {}

    static Workflow read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    static Workflow read(byte[] text) {
        return new SheafYaml().read(Source.of("w.yaml", text), true);
    }

    static String write(Workflow workflow) {
        StringWriter out = new StringWriter();
        try {
            new SheafYaml().write(workflow, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    static List<String> ids(Workflow workflow) {
        List<String> ids = new ArrayList<>();
        for (int task = 0; task < workflow.size(); task++) {
            ids.add(workflow.id(task));
        }
        return ids;
    }

    static List<String> parents(Workflow workflow, String id) {
        int task = workflow.find(id);
        List<String> parents = new ArrayList<>();
        for (int i = 0; i < workflow.parents(task); i++) {
            parents.add(workflow.id(workflow.parent(task, i)));
        }
        return parents;
    }

    static List<String> inputs(Workflow workflow, String id) {
        int task = workflow.find(id);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < workflow.inputs(task); i++) {
            names.add(workflow.fileName(workflow.input(task, i)));
        }
        return names;
    }
}
