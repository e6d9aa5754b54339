package io.sheaf.app.cli;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options of a command with many of them under headings: its own first, then groups in the order of the command. */
public final class OptionHeadings {
    private static final String OWN = "Options";
    /** A command with at most this number of options has one list. */
    private static final int FEW = 15;

    private OptionHeadings() {}

    /** The visible options of each heading. */
    public static Map<String, List<OptionSpec>> of(CommandSpec command) {
        List<OptionSpec> visible =
                command.options().stream().filter(option -> !option.hidden()).toList();
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        groups.put(OWN, new ArrayList<>());
        for (OptionSpec option : visible) {
            groups.computeIfAbsent(heading(option), heading -> new ArrayList<>())
                    .add(option);
        }
        return visible.size() > FEW ? groups : Map.of(OWN, visible);
    }

    private static String heading(OptionSpec option) {
        if (option.userObject() instanceof Field field) {
            HelpHeading own = field.getAnnotation(HelpHeading.class);
            HelpHeading heading = own == null ? field.getDeclaringClass().getAnnotation(HelpHeading.class) : own;
            return heading == null ? OWN : heading.value();
        }
        return OWN;
    }

    /** Shortens the synopsis of a command whose options have headings: their names would fill a page. */
    public static void abbreviateSynopsis(CommandSpec command) {
        command.usageMessage().abbreviateSynopsis(of(command).size() > 1);
    }

    /** The section of the help that lists the options. */
    public static String text(Help help) {
        Map<String, List<OptionSpec>> groups = of(help.commandSpec());
        if (groups.size() == 1) {
            return help.optionList();
        }
        StringBuilder text = new StringBuilder();
        groups.forEach((heading, options) -> {
            Help.Layout layout = help.createDefaultLayout();
            layout.addAllOptions(options, help.parameterLabelRenderer());
            text.append(String.format("%n%s:%n%s", heading, layout));
        });
        return text.toString();
    }
}
