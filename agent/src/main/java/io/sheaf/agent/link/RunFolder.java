package io.sheaf.agent.link;

import io.sheaf.agent.protocol.AgentId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Where things of a run lie that both the manager and its agents use. */
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

    /** What belongs to one agent: its log, its spool, its results until they are acknowledged. */
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

    /** Writes a file so that a reader sees all of it or none of it, even if the machine fails. */
    public static void replace(Path file, String text) throws IOException {
        Path made = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                made, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
