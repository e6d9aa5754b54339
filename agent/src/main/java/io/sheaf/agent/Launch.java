package io.sheaf.agent;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AgentId;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The command that starts agents: Java, the jar, and a class-data archive that shortens the start.
 *
 * <p>Jar and archive are in a folder that all nodes see, preferably one shared by several runs, because creating the archive takes seconds.
 * An archive fits one jar at one path on one Java; otherwise Java ignores it.
 *
 * @param classes the jar as agents see it
 */
public record Launch(Path java, Path jar, Path archive, Path classes) {
    private static final int WARM_UP_SECONDS = 60;
    private static final Path SETSID = Path.of("/usr/bin/setsid");

    /**
     * Small and quick rather than fast in the long run: an agent does little by itself, and the node belongs to the tasks.
     */
    private static final List<String> FLAGS = List.of(
            "-Xlog:disable",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xms8m",
            "-Xmn3m",
            "-Xmx48m",
            "-Xss256k",
            "-XX:ReservedCodeCacheSize=16m",
            // Otherwise Java reserves 1 GiB of the address space, which some batch systems limit.
            "-XX:CompressedClassSpaceSize=16m",
            "-XX:CICompilerCount=1",
            // With one, as on two cores, Java makes a thread for each process that ends instead of keeping some.
            "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2",
            "-Duser.language=en",
            "-Duser.country=US");

    /** Creates the jar if absent. */
    public static Launch from(Path folder) throws IOException {
        Path home = Path.of(System.getProperty("java.home"));
        Path jar = AgentJar.in(folder.toAbsolutePath());
        String name = jar.getFileName().toString().replace(".jar", "-" + Runtime.version() + ".jsa");
        return new Launch(home.resolve("bin").resolve("java"), jar, jar.resolveSibling(name.replace('+', '_')), jar);
    }

    /**
     * The same with other paths, on machines that do not see the files of this one.
     *
     * @param program Java there; empty for the path that it has here
     */
    public Launch onRemote(UnaryOperator<Path> path, String program) {
        return new Launch(program.isEmpty() ? java : Path.of(program), jar, path.apply(archive), path.apply(jar));
    }

    /** Creates the archive if absent; agents started in the meantime run without it. Returns false if it cannot be created here. */
    public boolean makeArchive() throws IOException, InterruptedException {
        if (Files.exists(archive)) {
            return true;
        }
        Path work = Files.createTempDirectory("sheaf-agent");
        // Beside where it will be: it is moved into place in one step.
        Path made = Files.createTempFile(archive.resolveSibling(""), "archive-", ".tmp");
        try {
            Files.delete(made);
            List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:ArchiveClassesAtExit=" + made));
            command.addAll(FLAGS);
            command.addAll(List.of("-cp", jar.toString(), ArchiveTraining.class.getName(), work.toString()));
            Process process = new ProcessBuilder(command)
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
            boolean ended = process.waitFor(WARM_UP_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            if (!ended || !Files.exists(made)) {
                return false;
            }
            Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } finally {
            Files.deleteIfExists(made);
            Trees.delete(work);
        }
    }

    /** The command that runs an agent. */
    public List<String> command(RunFolder run, AgentId agent) {
        return command(Files.exists(archive), AgentMain.class, words(run, agent));
    }

    /** The command for a later start on another node: with the archive, which may exist by then. */
    public List<String> onOtherMachines(RunFolder run, AgentId agent) {
        return command(true, AgentMain.class, words(run, agent));
    }

    /** The command that runs another program of the agent's jar. */
    public List<String> other(Class<?> main, List<String> words) {
        return command(false, main, words);
    }

    private static List<String> words(RunFolder run, AgentId agent) {
        return List.of(run.path().toString(), String.valueOf(agent.token()), String.valueOf(agent.node()));
    }

    private List<String> command(boolean archived, Class<?> main, List<String> words) {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        if (archived) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", classes.toString(), main.getName()));
        command.addAll(words);
        return command;
    }

    /**
     * Starts an agent on this machine, with its settings and its log in its folder. It is in a session of its own, so that signals which a
     * terminal sends to the manager do not reach it.
     */
    public Process start(RunFolder run, AgentId agent, AgentSettings settings) throws IOException {
        Path folder = run.agent(agent);
        settings.write(folder);
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            command.add(SETSID.toString());
        }
        command.addAll(command(run, agent));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(run.path().toFile())
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(folder.resolve("agent.log").toFile()));
        builder.environment().put("SHEAF_RUN", settings.run());
        builder.environment().put("SHEAF_PLACEHOLDER", String.valueOf(agent.token()));
        return builder.start();
    }
}
