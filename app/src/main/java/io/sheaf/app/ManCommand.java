package io.sheaf.app;

import io.sheaf.app.cli.ConfiguredDefaults;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionHeadings;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.Version;
import io.sheaf.app.config.Configuration;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
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
        pages.add(new ManPage(command));
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

    /** The man page of a command in roff, with the text of its help. */
    private static final class ManPage {
        private final CommandSpec command;
        private final Help help;

        private final StringBuilder out = new StringBuilder();

        ManPage(CommandLine command) {
            this.command = command.getCommandSpec();
            this.help = new Help(this.command, Help.defaultColorScheme(Help.Ansi.OFF));
        }

        /** The page's name, such as sheaf-run for {@code sheaf run}. */
        String name() {
            return command.qualifiedName("-");
        }

        String roff() {
            // Declares the encoding; contains no date, so that builds are reproducible. Paragraphs set the adjustment
            // anew,
            // from the string AD in groff 1.23.
            out.append("'\\\" -*- coding: utf-8 -*-\n");
            out.append(".TH " + quoted(name().toUpperCase(Locale.ROOT)) + " 1 \"\" "
                    + quoted("Sheaf " + Version.number()) + " \"Sheaf manual\"\n.nh\n.ad l\n.ds AD l\n");
            List<String> description = lines(command.usageMessage().description());
            section("NAME");
            out.append(escaped(name()) + " \\- " + escaped(String.join(" ", description)) + "\n");
            section("SYNOPSIS");
            out.append(".HP\n\\fB" + escaped(command.qualifiedName()) + "\\fR" + escaped(synopsis()) + "\n");
            arguments();
            options();
            commands();
            more();
            section("EXIT STATUS");
            text(
                    "0 success, 1 the workflow (or experiment) failed, 2 usage error, 3 bad input, 4 cluster unreachable, 5 interrupted and resumable.");
            seeAlso();
            return out.toString();
        }

        private static List<String> lines(String[] text) {
            return Arrays.stream(text)
                    .map(line -> String.format(Locale.ROOT, line))
                    .toList();
        }

        private void section(String heading) {
            out.append(".SH " + (heading.contains(" ") ? quoted(heading) : heading) + "\n");
        }

        /** The arguments after the command's name, with a leading space. */
        private String synopsis() {
            String all = help.synopsis(0).replaceAll("\\s+", " ").strip();
            return all.substring(command.qualifiedName().length());
        }

        private void arguments() {
            List<PositionalParamSpec> visible = command.positionalParameters().stream()
                    .filter(parameter -> !parameter.hidden())
                    .toList();
            if (!visible.isEmpty()) {
                section("ARGUMENTS");
                for (PositionalParamSpec parameter : visible) {
                    item("\\fI" + escaped(parameter.paramLabel()) + "\\fR", description(parameter));
                }
            }
        }

        private void options() {
            section("OPTIONS");
            Map<String, List<OptionSpec>> groups = OptionHeadings.of(command);
            groups.forEach((heading, options) -> {
                if (groups.size() > 1) {
                    out.append(".SS " + quoted(heading) + "\n");
                }
                for (OptionSpec option : options) {
                    item(names(option), description(option));
                }
            });
        }

        private String names(OptionSpec option) {
            List<String> names = new ArrayList<>();
            for (String name : option.names()) {
                boolean both = option.negatable() && name.startsWith("--");
                names.add("\\fB" + escaped(both ? "--[no-]" + name.substring(2) : name) + "\\fR");
            }
            String value = option.arity().max() > 0 && !option.negatable()
                    ? " \\fI" + escaped(option.paramLabel()) + "\\fR"
                    : "";
            return String.join(", ", names) + value;
        }

        /** The help text with the default value. */
        private String description(ArgSpec argument) {
            Help.Ansi.Text[][] rows = argument.isOption()
                    ? help.createDefaultOptionRenderer()
                            .render((OptionSpec) argument, help.parameterLabelRenderer(), help.colorScheme())
                    : help.createDefaultParameterRenderer()
                            .render((PositionalParamSpec) argument, help.parameterLabelRenderer(), help.colorScheme());
            return Arrays.stream(rows)
                    .map(row -> row[row.length - 1].toString())
                    .collect(Collectors.joining(" "))
                    .strip();
        }

        private void commands() {
            Map<String, CommandLine> subcommands = command.subcommands();
            if (!subcommands.isEmpty()) {
                section("COMMANDS");
                subcommands.forEach((name, sub) -> item(
                        "\\fB" + escaped(sub.getCommandSpec().qualifiedName("-")) + "\\fR(1)",
                        String.join(
                                " ", lines(sub.getCommandSpec().usageMessage().description()))));
            }
        }

        /** The help's footer: sentences and examples. */
        private void more() {
            List<String> sentences = new ArrayList<>();
            List<String> examples = new ArrayList<>();
            for (String line : lines(command.usageMessage().footer())) {
                (line.contains("sheaf ") && line.matches("[A-Z][^:]*: sheaf .*") ? examples : sentences).add(line);
            }
            sentences.removeIf(
                    line -> line.isBlank() || line.startsWith("Exit status:") || line.startsWith("5 interrupted"));
            if (!sentences.isEmpty()) {
                section("NOTES");
                text(String.join(" ", sentences));
            }
            if (!examples.isEmpty()) {
                section("EXAMPLES");
                for (String example : examples) {
                    int at = example.indexOf(": ");
                    String text = example.substring(0, at);
                    out.append(".PP\n");
                    if (!text.equals("Example")) {
                        text(text + ":");
                    }
                    out.append(".RS 4\n.nf\n" + escaped(example.substring(at + 2)) + "\n.fi\n.RE\n");
                }
            }
        }

        private void seeAlso() {
            section("SEE ALSO");
            CommandSpec above = command.parent();
            String commands = above == null
                    ? "The documentation of Sheaf: docs/README.md, or the documentation site."
                    : "\\fB" + escaped(above.qualifiedName("-")) + "\\fR(1)";
            out.append(commands + "\n");
        }

        private void item(String text, String description) {
            out.append(".TP\n" + text + "\n");
            text(description);
        }

        private void text(String words) {
            out.append(escaped(words)).append('\n');
        }

        private static String quoted(String text) {
            return "\"" + escaped(text).replace("\"", "\\(dq") + "\"";
        }

        /** Escapes roff's special characters, and a first character that would start a request; a line may end before {@code [,}. */
        private static String escaped(String text) {
            String signs = text.replace("\\", "\\e")
                    .replace("-", "\\-")
                    .replace("'", "\\(aq")
                    .replace("^", "\\(ha")
                    .replace("~", "\\(ti")
                    .replace("`", "\\(ga")
                    .replace("[,", "\\:[,");
            return signs.startsWith(".") ? "\\&" + signs : signs;
        }
    }
}
