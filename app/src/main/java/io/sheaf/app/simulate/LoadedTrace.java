package io.sheaf.app.simulate;

import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.OptionText;
import io.sheaf.formats.Source;
import io.sheaf.formats.slurm.SacctReader;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.sim.TraceRule;
import io.sheaf.sim.model.ClusterFigures;
import io.sheaf.sim.model.Presets;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A job log as read or generated, before any rule is applied.
 *
 * @param name its name in the output
 * @param size the size of its cluster in the log's processors; empty if unknown
 * @param counts what the reader dropped or changed, by name
 * @param labels names, arrays and dependencies of the jobs; null if the log has none
 */
public record LoadedTrace(
        String name, SwfLog log, OptionalLong size, Map<String, Long> counts, SacctReader.@Nullable Labels labels) {
    /** The maximum number of unreadable lines that are shown; further ones are counted. */
    private static final int MAX_SHOWN = 5;

    /** The number of nodes: as given, else from the log or model. */
    public int nodes(@Nullable Integer option, LogOptions options) {
        if (option != null) {
            return option;
        }
        long procs = size.orElse(0);
        if (procs < 1 || procs > Integer.MAX_VALUE) {
            throw new InputException("the number of nodes is not in the log; add --nodes N").in(name);
        }
        int perNode = options.procsPerNode();
        return (int) ((procs + perNode - 1) / perNode);
    }

    /** Reads logs: SWF, or Slurm accounting, which is detected by the column names in its first line; several files of accounting are one log. */
    public static LoadedTrace read(List<String> files, LogOptions options, PrintWriter err) {
        return readAll(files.stream().map(LoadedTrace::source).toList(), options, err);
    }

    /** Reads accounting that a batch system printed. */
    public static LoadedTrace accounting(String name, String text, LogOptions options, PrintWriter err) {
        Source source = Source.of(name, text.getBytes(StandardCharsets.UTF_8));
        return readAll(List.of(source), options, err);
    }

    private static LoadedTrace readAll(List<Source> sources, LogOptions options, PrintWriter err) {
        ErrorPrinter shown = new ErrorPrinter(err);
        Source first = sources.get(0);
        boolean accounting = SacctReader.isAccounting(first);
        if (!accounting && sources.size() > 1) {
            throw new InputException("is not Slurm accounting; several files can only be read together if all are")
                    .in(first.name());
        }
        LoadedTrace loaded = accounting ? accounting(sources, options, shown) : swf(first, options.strict, shown);
        shown.rest(first.name());
        return loaded;
    }

    /** Generates a number of jobs from a model, or a number of days if {@code jobs} is 0. */
    public static LoadedTrace model(String name, long seed, int days, int jobs) {
        List<String> names = Presets.all().stream().map(ClusterFigures::name).toList();
        if (!names.contains(name)) {
            throw Choice.unknown("--model", name, names);
        }
        var model = Presets.model(name);
        SwfLog log = jobs > 0 ? model.generate(seed, jobs) : model.generateDays(seed, days);
        return new LoadedTrace(
                name + ", seed " + seed,
                log,
                OptionalLong.of(Presets.figures(name).nodes()),
                Map.of(),
                null);
    }

    private static LoadedTrace swf(Source source, boolean strict, ErrorPrinter shown) {
        SwfLog log = (strict ? SwfReader.strict() : SwfReader.lenient(shown)).read(source);
        return new LoadedTrace(source.name(), log, log.header().machineSize(), Map.of(), null);
    }

    private static LoadedTrace accounting(List<Source> sources, LogOptions options, ErrorPrinter shown) {
        SacctReader reader = options.strict
                ? SacctReader.strict(options.unit(), options.zone())
                : SacctReader.lenient(options.unit(), options.zone(), shown);
        SacctReader.Imported imported = reader.read(sources);
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(TraceRule.MALFORMED.key(), (long) imported.malformed());
        counts.put("steps", (long) imported.steps());
        counts.put("unfinished", (long) imported.unfinished());
        counts.put("repeated", (long) imported.repeated());
        counts.put("requeued", (long) imported.requeued());
        counts.put("renumbered", (long) imported.renumbered());
        String name = sources.size() == 1
                ? sources.get(0).name()
                : sources.get(0).name() + " and " + (sources.size() - 1) + " more";
        return new LoadedTrace(name, imported.log(), OptionalLong.empty(), counts, imported.labels());
    }

    private static Source source(String file) {
        try {
            return file.equals("-") ? Source.standardInput() : Source.of(OptionText.path(file));
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(file);
        }
    }

    /** Shows the first few lines that cannot be read. */
    private static final class ErrorPrinter implements Consumer<InputException> {
        private final PrintWriter err;
        private int problems;

        ErrorPrinter(PrintWriter err) {
            this.err = err;
        }

        @Override
        public void accept(InputException problem) {
            if (++problems <= MAX_SHOWN) {
                err.println("sheaf: skipped: " + problem.getMessage());
            }
        }

        void rest(String file) {
            if (problems > MAX_SHOWN) {
                err.println("sheaf: " + file + ": and " + (problems - MAX_SHOWN)
                        + " more lines skipped; --strict makes this an error");
            }
        }
    }
}
