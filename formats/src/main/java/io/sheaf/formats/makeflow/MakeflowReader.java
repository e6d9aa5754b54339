package io.sheaf.formats.makeflow;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads Makeflow files: a rule becomes a task, named by the first file that it creates.
 *
 * <p>All dependencies are files, so edges come from them. Undefined variables come from the environment, as in Makeflow. Quoting and escapes follow
 * Makeflow's actual behaviour, except where it fails (docs/reference/formats/makeflow.md).
 */
public final class MakeflowReader implements WorkflowReader {
    private static final Pattern RULE =
            Pattern.compile("(?m)^[^\\s#=@][^=\\n]*:[^\\n]*\\n([@#A-Z].*\\n|\\s*\\n)*[\\t ]+\\S");

    private final Map<String, String> environment;

    public MakeflowReader() {
        this(System.getenv());
    }

    /** With these variables instead of those that Sheaf was started with. */
    MakeflowReader(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Label label() {
        return new Label("makeflow", "Makeflow, the classic language", ".makeflow", ".mf", ".jx");
    }

    @Override
    public boolean fileEdgesByDefault() {
        return true;
    }

    @Override
    public boolean recognises(String head) {
        return RULE.matcher(head).find();
    }

    @Override
    public Workflow read(Source source, boolean fileEdges) {
        return source.read(in -> {
            WorkflowBuilder builder = new WorkflowBuilder(source.stem()).fileEdges(fileEdges);
            MakeflowFile file = new MakeflowFile(builder, new Variables(environment));
            file.read(new Statements(in));
            if (builder.size() == 0) {
                throw new InputException(
                        "the file contains no rule; write 'target: source' and below it, after a tab, the command",
                        Place.of(1, 1));
            }
            return builder.build();
        });
    }
}
