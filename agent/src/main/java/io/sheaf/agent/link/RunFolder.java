package io.sheaf.agent.link;

import io.sheaf.agent.protocol.AgentId;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The paths in a run's folder that both the manager and its agents use. */
public record RunFolder(Path path) {
    public RunFolder {
        path = path.toAbsolutePath().normalize();
    }

    /** The address of the manager. */
    public Path endpoint() {
        return path.resolve("endpoint");
    }

    /** Key and certificate of the run. */
    public Path credentials() {
        return path.resolve("credentials.p12");
    }

    public Path agents() {
        return path.resolve("agents");
    }

    /** The folder of an agent: its log, its spool, and its results until they are acknowledged. */
    public Path agent(AgentId agent) {
        return agents().resolve(agent.toString());
    }

    /** Frames from the manager. */
    Path in(AgentId agent) {
        return agent(agent).resolve("in");
    }

    /** Frames to the manager. */
    Path out(AgentId agent) {
        return agent(agent).resolve("out");
    }

    /** Makes the additions, renames and removals of files in a folder durable. */
    public static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** The lines of a file; none if it does not exist. */
    public static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface FileContent {
        void to(Writer out) throws IOException;
    }

    /** Writes a file so that a reader sees all of it or none of it, even if the machine fails. */
    public static void replace(Path file, String text) throws IOException {
        replace(file, out -> out.write(text));
    }

    /** The same without the whole content in memory. */
    public static void replace(Path file, FileContent content) throws IOException {
        Path made = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                        made,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                Writer out = new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8))) {
            content.to(out);
            out.flush();
            channel.force(true);
        }
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
