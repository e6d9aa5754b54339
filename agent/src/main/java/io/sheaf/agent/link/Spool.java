package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Frame;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.MalformedFrameException;
import io.sheaf.agent.protocol.Message;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder of frame files, one direction of a link: one side writes, the other reads and deletes.
 *
 * <p>A file appears by renaming, so readers see complete files. Its name has the epoch and a sequence number: frames are read in order, and
 * a manager without the lease neither consumes its successor's frames nor is read.
 */
final class Spool {
    private static final Pattern NAME = Pattern.compile("(\\d{1,18})-(\\d{1,19})\\.frames");

    private final Path folder;
    /** Of the last file; 0 before the first. */
    private long sequence;

    Spool(Path folder) {
        this.folder = folder;
    }

    void write(long epoch, List<? extends Message> messages) throws IOException {
        Files.createDirectories(folder);
        sequence = sequence == 0 ? lastSequence() : sequence;
        String name = String.format(Locale.ROOT, "%012d-%019d.frames", epoch, ++sequence);
        Path made = folder.resolve(name + ".tmp");
        Files.write(made, Frames.encode(epoch, messages));
        Files.move(made, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * The next sequence number: from the clock, so that a later writer continues after an earlier one, and after existing files if the
     * clock was set back.
     */
    private long lastSequence() throws IOException {
        long last = System.currentTimeMillis() * 1000;
        for (Path file : files()) {
            Matcher matcher = NAME.matcher(file.getFileName().toString());
            last = matcher.matches() ? Math.max(last, Long.parseLong(matcher.group(2))) : last;
        }
        return last;
    }

    /** Reads and deletes the frames of an epoch. Files of older epochs are deleted, those of newer ones left. */
    List<Frame> take(long epoch) throws IOException {
        List<Frame> frames = new ArrayList<>();
        for (Path file : files()) {
            long fileEpoch = epoch(file);
            if (fileEpoch == epoch) {
                read(file, frames);
            } else if (fileEpoch < epoch) {
                Files.deleteIfExists(file);
            }
        }
        return frames;
    }

    /** Deletes unread files. */
    void clear() throws IOException {
        for (Path file : files()) {
            Files.deleteIfExists(file);
        }
    }

    private static void read(Path file, List<Frame> frames) throws IOException {
        try {
            frames.addAll(Frames.decodeAll(Files.readAllBytes(file)));
            Files.deleteIfExists(file);
        } catch (NoSuchFileException e) {
            // Deleted as stale by another process; no second manager has this epoch.
            return;
        } catch (MalformedFrameException e) {
            // Left for inspection; the sender repeats what matters.
            Files.move(file, file.resolveSibling(file.getFileName() + ".bad"), StandardCopyOption.REPLACE_EXISTING);
            throw e;
        }
    }

    private static long epoch(Path file) {
        Matcher matcher = NAME.matcher(file.getFileName().toString());
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : Long.MAX_VALUE;
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, "*.frames")) {
            stream.forEach(files::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
        Collections.sort(files);
        return files;
    }
}
