package io.sheaf.app;

import io.sheaf.app.config.Configuration;
import io.sheaf.app.config.Settings;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints every setting with its value and where the value came from. */
@Command(
        name = "config",
        description = "Prints every setting, its value, and where the value came from.",
        footer = {
            "",
            "Command line > SHEAF_* > ./sheaf.conf.yaml > your sheaf/sheaf.conf.yaml > /etc/sheaf/sheaf.conf.yaml.",
            "Example: sheaf config --reference > sheaf.conf.yaml"
        })
final class ConfigCommand extends SheafCommand {
    @Option(names = "--reference", description = "Print a commented configuration file with every default.")
    boolean reference;

    @Override
    public Integer call() {
        Session session = session();
        if (reference) {
            session.out().print(Settings.reference());
            return ExitStatus.DONE;
        }
        if (json) {
            printJson(session);
        } else {
            List<List<String>> rows = new ArrayList<>();
            for (Configuration.Value value : session.configuration().values()) {
                rows.add(List.of(value.setting().name(), value.text(), value.origin()));
            }
            Table.print(session.out(), List.of("setting", "value", "from"), rows, "<<<");
        }
        session.configuration().notes().forEach(note -> session.err().println("sheaf: note: " + note));
        return ExitStatus.DONE;
    }

    private static void printJson(Session session) {
        try (JsonOut out = new JsonOut(session.out())) {
            out.object();
            for (Configuration.Value value : session.configuration().values()) {
                out.object(value.setting().name())
                        .field("value", value.text())
                        .field("from", value.origin())
                        .end();
            }
            out.end();
        }
    }
}
