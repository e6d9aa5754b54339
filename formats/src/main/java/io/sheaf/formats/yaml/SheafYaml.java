package io.sheaf.formats.yaml;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.Writer;
import java.util.HashSet;
import java.util.Set;

/**
 * Sheaf YAML, the workflow language for writing by hand.
 *
 * <p>Described in docs/reference/sheaf-yaml.md. Reading has two steps: {@link Document} holds the entries as written, and {@link Expansion}
 * makes tasks of them. Values are not guessed: where a text is expected, {@code yes}, {@code 1.10} and {@code 007} are texts.
 */
public final class SheafYaml implements WorkflowReader, WorkflowWriter {
    @Override
    public Label label() {
        return new Label("yaml", "Sheaf YAML", ".yaml", ".yml");
    }

    /** Edges from files are on unless the caller or the file disables them. */
    @Override
    public boolean fileEdgesByDefault() {
        return true;
    }

    @Override
    public boolean recognises(String head) {
        return head.lines().anyMatch(line -> line.startsWith("tasks:"));
    }

    @Override
    public Workflow read(Source source, boolean fileEdges) {
        return source.read(in -> {
            Document document = Document.read(in, source);
            String name = document.name == null ? source.stem() : Template.fill(document.name, document.globals);
            WorkflowBuilder builder = new WorkflowBuilder(name).fileEdges(fileEdges && document.fileEdges);
            Deferral deferral = new Deferral(document, source.written());
            Workflow trial = deferral.isNone() ? null : tryAll(document, source);
            new Expansion(document, builder, new Budget(source.memory()), deferral).run();
            if (trial != null) {
                deferral.deferred(builder, trial).forEach(source::defer);
            }
            return builder.build();
        });
    }

    /**
     * Makes all tasks, with one file for each pattern that fits none, so that mistakes in groups that come later are found now. Files that such a group may
     * be over are no mistake: tasks may replace them, or the group has failed because of them.
     */
    private static Workflow tryAll(Document document, Source source) {
        FoundFiles found = document.globals.found();
        try {
            found.trial(true, false);
            return all(document, source);
        } catch (InputException e) {
            try {
                found.trial(true, true);
                return all(document, source);
            } catch (InputException again) {
                e.addSuppressed(again);
                throw e;
            }
        } finally {
            found.trial(false, false);
        }
    }

    private static Workflow all(Document document, Source source) {
        Set<String> all = new HashSet<>();
        document.tasks.forEach(spec -> all.add(Deferral.pattern(spec.key, document.globals)));
        WorkflowBuilder builder = new WorkflowBuilder("").fileEdges(document.fileEdges);
        new Expansion(document, builder, new Budget(source.memory()), new Deferral(document, all)).run();
        return builder.build();
    }

    @Override
    public void write(Workflow workflow, Writer out) throws IOException {
        new WorkflowText(workflow).write(out);
    }
}
