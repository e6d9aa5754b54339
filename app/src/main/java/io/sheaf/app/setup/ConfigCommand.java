package io.sheaf.app.setup;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.config.Configuration;
import io.sheaf.app.config.Settings;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Prints every setting with its value and origin. */
@Command(
        name = "config",
        description = "Show all settings with their values and where each value comes from.",
        footer = {
            "",
            "Precedence: command line > SHEAF_* > ./sheaf.conf.yaml > ~/.config/sheaf/sheaf.conf.yaml",
            "> /etc/sheaf/sheaf.conf.yaml.",
            "Example: sheaf config --reference > sheaf.conf.yaml"
        })
public final class ConfigCommand extends SheafCommand {
    @Option(names = "--reference", description = "Print a commented configuration file with every default.")
    boolean reference;

    @Option(names = "--seed", paramLabel = "S", description = "Random seed.")
    long seed;

    @Override
    public Integer call() {
        Session session = session();
        if (reference) {
            refuseJson("--reference prints YAML");
            session.out().print(Settings.reference());
            return ExitStatus.DONE;
        }
        List<Configuration.Value> values =
                session.configuration().values().stream().map(this::asGiven).toList();
        Fields<Configuration.Value> columns = new Fields<Configuration.Value>()
                .left("setting", value -> value.setting().name())
                .text("value", "value", Configuration.Value::text)
                .text("from", "from", Configuration.Value::origin);
        print(
                out -> values.forEach(value -> {
                    out.object(value.setting().name());
                    columns.fields(out, value);
                    out.end();
                }),
                out -> columns.table(out, values));
        session.configuration().notes().forEach(note -> session.note("note: " + note));
        return ExitStatus.DONE;
    }

    /** The command line overrides configured values. */
    private Configuration.Value asGiven(Configuration.Value value) {
        OptionSpec option = commandLine()
                .getParseResult()
                .matchedOption("--" + value.setting().name());
        if (option == null) {
            return value;
        }
        Object parsed = option.getValue();
        return new Configuration.Value(value.setting(), String.valueOf(parsed), "command line");
    }
}
