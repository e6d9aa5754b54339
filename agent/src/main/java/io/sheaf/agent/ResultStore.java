package io.sheaf.agent;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Frame;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message.Ended;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of results that the manager has not acknowledged; it survives a kill of the agent.
 *
 * <p>Appends do not wait for the disk: if the node fails, its tasks are lost as well. The file is truncated when everything is
 * acknowledged, and rewritten when most of a long file is.
 */
public final class ResultStore {
    private static final String FILE = "results";
    private static final long LONG_FILE_BYTES = 4 << 20;
    private static final int FEW = 100;

    private final Path path;
    private final Map<AttemptId, Ended> kept = new LinkedHashMap<>();
    private FileChannel file;
    private long bytes;

    /** Opens the file, including results of an earlier agent. */
    ResultStore(Path agentFolder) throws IOException {
        path = agentFolder.resolve(FILE);
        read(agentFolder).forEach(ended -> kept.put(ended.attempt(), ended));
        file = rewritten();
    }

    /** Results of an agent that has ended; acknowledged ones may be among them. */
    public static List<Ended> read(Path agentFolder) throws IOException {
        List<Ended> results = new ArrayList<>();
        try {
            for (Frame frame : Frames.decodeWhole(Files.readAllBytes(agentFolder.resolve(FILE)))) {
                if (frame.message() instanceof Ended ended) {
                    results.add(ended);
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return results;
    }

    List<Ended> stored() {
        return List.copyOf(kept.values());
    }

    boolean has(AttemptId attempt) {
        return kept.containsKey(attempt);
    }

    void store(List<Ended> results) throws IOException {
        results.forEach(ended -> kept.put(ended.attempt(), ended));
        ByteBuffer buffer = ByteBuffer.wrap(Frames.encode(0, results));
        long at = bytes;
        while (buffer.hasRemaining()) {
            at += file.write(buffer, at);
        }
        bytes = at;
    }

    void acknowledge(List<AttemptId> attempts) throws IOException {
        attempts.forEach(kept::remove);
        if (bytes > 0 && kept.isEmpty()) {
            file.truncate(0);
            bytes = 0;
        } else if (bytes > LONG_FILE_BYTES && kept.size() < FEW) {
            file.close();
            file = rewritten();
        }
    }

    /** Replaces the file by one with the unacknowledged results only, atomically. */
    private FileChannel rewritten() throws IOException {
        Path made = path.resolveSibling(FILE + ".tmp");
        byte[] content = Frames.encode(0, stored());
        Files.write(made, content);
        Files.move(made, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        bytes = content.length;
        return FileChannel.open(path, StandardOpenOption.WRITE);
    }
}
