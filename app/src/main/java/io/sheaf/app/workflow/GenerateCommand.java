package io.sheaf.app.workflow;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Family;
import io.sheaf.workflow.generate.Recipe;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Generates a workflow in the shape of a known application. */
@Command(
        name = "generate",
        description = "Generate a workflow with the structure of a published application.",
        footer = {"", "Example: sheaf generate montage --tasks 250 --work 500h --seed 7 -o montage.json"})
public final class GenerateCommand extends SheafCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "FAMILY",
            completionCandidates = Candidates.FamilyNames.class,
            description = "The application; 'sheaf generate --list' lists them.")
    private @Nullable String family;

    @Option(names = "--list", description = "List the families with their parameters.")
    boolean list;

    @Option(
            names = {"-n", "--tasks"},
            paramLabel = "N",
            description = "Approximate number of tasks.")
    @Nullable
    Integer tasks;

    @Option(names = "--work", paramLabel = "TIME", description = "Total run time of all tasks, e.g. 500h.")
    private @Nullable String work;

    @Option(names = "--seed", paramLabel = "S", description = "Random seed (default: ${DEFAULT-VALUE}).")
    long seed;

    @Option(names = "--set", paramLabel = "NAME=VALUE", description = "A parameter of the family; repeatable.")
    Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The file to write; its name determines the format (default: standard output).")
    private @Nullable String output;

    @Option(
            names = "--to",
            completionCandidates = Candidates.FormatsWritten.class,
            paramLabel = "FORMAT",
            description = "Output format (default: from the name of the output; wfformat on standard output).")
    private @Nullable String to;

    @Override
    public Integer call() {
        if (list) {
            list();
            return ExitStatus.DONE;
        }
        if (family == null) {
            throw usage("give a family; 'sheaf generate --list' lists them");
        }
        Family made = Families.named(family);
        WorkflowWriter printed = output == null ? printedFormat(to) : null;
        Recipe recipe = recipe(made);
        recipe.check(made);
        Workflow workflow = made.generate(recipe);
        if (printed != null) {
            WorkflowFiles.print(workflow, printed, session().out());
        } else if (output != null) {
            write(workflow, output);
        }
        return ExitStatus.DONE;
    }

    /** Missing values are 0 in a recipe; an explicit 0 is an error. */
    private Recipe recipe(Family made) {
        if (tasks != null && tasks == 0) {
            throw new InputException("--tasks: must be at least 1; omit it for the family's default");
        }
        long micros = work == null ? 0 : OptionText.micros("--work", work);
        if (work != null && micros == 0) {
            throw new InputException(
                    "--work " + work + ": must be greater than 0; omit it for the family's own run times");
        }
        if (tasks != null && made.hasFixedSize()) {
            note("note: the number of tasks of " + made.name() + " is fixed; --tasks has no effect");
        }
        return new Recipe(tasks == null ? 0 : tasks, micros, seed, parameters);
    }

    private void write(Workflow workflow, String file) {
        WorkflowFiles.write(workflow, file, to);
        print(
                out -> WorkflowFigures.of(workflow).fields(out),
                out -> session().err().println(file + ": " + workflow));
    }

    private void list() {
        Fields<Family.Parameter> parameters = new Fields<Family.Parameter>()
                .field((out, each) -> out.field("name", each.name())
                        .field("default", each.defaultValue())
                        .field("about", each.about()));
        Fields<Family> families = new Fields<Family>()
                .field((out, each) -> out.field("name", each.name()).field("about", each.about()))
                .field((out, each) -> parameters.array(out, "parameters", each.parameters()));
        print(out -> families.array(out, "families", Families.all()), out -> Families.all()
                .forEach(family -> {
                    out.println(family.name() + ": " + family.about());
                    family.parameters()
                            .forEach(each -> out.println(
                                    "    --set " + each.name() + "=" + each.defaultValue() + "  " + each.about()));
                }));
    }
}
