package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.TaskFiles;
import io.sheaf.agent.protocol.Work;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * Creates the start messages of a workflow's tasks.
 *
 * @param needs what the running attempt of a task needs, as {@code Manager.needs}
 */
public record TaskStarts(Forest forest, RunSpec spec, Path logs, IntFunction<Resources> needs)
        implements StartMessages {
    /** Characters that are not used in file names. */
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9_+=@.-]");

    private static final String OUT = ".out";

    @Override
    public Message.Start start(int number, int attempt, List<String> hosts) {
        Forest.ForestWorkflow part = forest.of(number);
        Workflow workflow = part.tasks();
        int task = number - part.first();
        Command command = workflow.command(task);
        if (command == null) {
            throw new IllegalStateException("task '" + workflow.id(task) + "' has no command");
        }
        Category category = workflow.category(task);
        Resources needed = needs.apply(number);
        command = workflow.scaling(task) == null ? command : command.on(needed.cores());
        String container = category.container();
        return new Message.Start(
                new AttemptId(part.number() + task, attempt),
                new Work(
                        workflow.id(task),
                        command.argv(),
                        category.setup(),
                        container == null
                                ? List.of()
                                : Arrays.asList(container.strip().split("\\s+")),
                        command.environment()),
                new Needs(
                        needed.cores(),
                        needed.memory(),
                        needed.gpus(),
                        workflow.retry(task).limit(Math.max(0, workflow.limitMicros(task)) / 1000, attempt),
                        hosts.size() == 1 ? List.of() : hosts,
                        needed.share(),
                        0),
                files(part, task, attempt));
    }

    @Override
    public Begun begun() {
        Set<String> names = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(logs, "*" + OUT)) {
            files.forEach(file -> names.add(String.valueOf(file.getFileName())));
        } catch (NoSuchFileException e) {
            return (task, attempt) -> false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return (task, attempt) -> {
            Forest.ForestWorkflow part = forest.of(task);
            int number = task - part.first();
            return names.contains(logName(part.tasks().id(number), part.number() + number, attempt) + OUT);
        };
    }

    private TaskFiles files(Forest.ForestWorkflow part, int task, int attempt) {
        Workflow workflow = part.tasks();
        Set<String> outputs = new LinkedHashSet<>(workflow.outputNames(task));
        List<String> inputs = new ArrayList<>();
        boolean staged = spec.where().isStaged();
        boolean contained = workflow.category(task).container() != null;
        for (String name : workflow.inputNames(task)) {
            // A shared folder needs only the inputs that must not be removed; a task may read very many files. A
            // container needs their folders, and a site without a shared file system gets them.
            if (spec.isolated() || staged || contained || outputs.contains(name)) {
                inputs.add(name);
            }
        }
        String log = logs.resolve(logName(workflow.id(task), part.number() + task, attempt))
                .toString();
        return new TaskFiles(
                part.origin().folder().isEmpty()
                        ? spec.workFolder()
                        : part.origin().folder(),
                spec.isolated(),
                inputs,
                List.copyOf(outputs),
                log + OUT,
                log + ".err",
                spec.outputPatience());
    }

    /** A task's name in characters valid for a file name; its number is appended where the name would be ambiguous. */
    public static String logName(String id, int task, int attempt) {
        String safe = UNSAFE.matcher(id).replaceAll("_");
        boolean plain = safe.equals(id) && id.length() <= 100 && !id.startsWith(".");
        String name = plain ? id : task + "-" + (safe.length() <= 100 ? safe : safe.substring(0, 100));
        return name + "." + attempt;
    }
}
