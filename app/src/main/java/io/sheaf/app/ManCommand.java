package io.sheaf.app;

import io.sheaf.app.cli.ConfiguredDefaults;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.Version;
import io.sheaf.app.config.Configuration;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes the man pages of all commands. */
@Command(
        name = "man",
        description = "Write the man pages of all commands to a folder.",
        footer = {
            "",
            "The pages are written to FOLDER/man1; read them with 'man -M FOLDER sheaf-run'.",
            "Example: sheaf man ~/.local/share/man"
        })
final class ManCommand extends SheafCommand {
    private static final int UNBROKEN = 10_000;

    @Parameters(arity = "1", paramLabel = "FOLDER", description = "The folder; created if missing.")
    String folder = "";

    @Override
    public Integer call() throws IOException {
        CommandLine all = Sheaf.allCommands();
        // Built-in defaults, regardless of the build machine's configuration.
        all.setDefaultValueProvider(new ConfiguredDefaults(
                Configuration.load(Map.of("SHEAF_SITE_CONFIG", "/nowhere/site.yaml"), Path.of("/nowhere"))));
        // man breaks the lines.
        all.setUsageHelpAutoWidth(false);
        all.setUsageHelpWidth(UNBROKEN);
        List<ManPage> pages = new ArrayList<>();
        collect(all, pages);
        Path to = folder();
        for (ManPage page : pages) {
            Files.writeString(to.resolve(page.name() + ".1"), page.roff());
        }
        print(
                out -> out.field("folder", to.toString()).field("pages", pages.size()),
                out -> out.println(pages.size() + " pages in " + to));
        return ExitStatus.DONE;
    }

    private static void collect(CommandLine command, List<ManPage> pages) {
        pages.add(new ManPage(command, Version.number()));
        for (CommandLine sub : command.getSubcommands().values()) {
            collect(sub, pages);
        }
    }

    private Path folder() {
        try {
            return Files.createDirectories(Path.of(folder).resolve("man1"));
        } catch (InvalidPathException | IOException e) {
            throw new InputException("cannot create the folder: " + e.getMessage()).in(folder);
        }
    }
}
