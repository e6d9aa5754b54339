package io.sheaf.runtime.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of a journal's folder: one for each epoch, each going on from an earlier one. */
final class Epochs {
    private static final Pattern NAME = Pattern.compile("[0-9]{6,18}\\.log");

    private final Path folder;

    Epochs(Path folder) {
        this.folder = folder;
    }

    Path file(long epoch) {
        return folder.resolve(String.format(Locale.ROOT, "%06d.log", epoch));
    }

    /** The highest number that any process has taken; 0 if none has. */
    long newest() throws IOException {
        long newest = 0;
        // Asked for with every commit; the folder is listed, because network file systems remember that a file is
        // absent.
        String[] names = folder.toFile().list();
        if (names == null && Files.isDirectory(folder)) {
            throw new IOException("cannot list " + folder);
        }
        for (String name : names == null ? new String[0] : names) {
            if (NAME.matcher(name).matches()) {
                newest = Math.max(newest, Long.parseLong(name.substring(0, name.indexOf('.'))));
            }
        }
        return newest;
    }

    /** The header of the newest epoch up to this one that came so far as to have one; null if none did. */
    @Nullable
    Header head(long upTo) throws IOException {
        for (long epoch = upTo; epoch > 0; epoch--) {
            Path file = file(epoch);
            Header header = Files.exists(file) ? EpochFile.read(file).header() : null;
            if (header != null) {
                return header;
            }
        }
        return null;
    }

    /** How many bytes of an epoch's file count; a torn tail is told. */
    long goodLength(Header head, Consumer<String> messages) throws IOException {
        EpochFile file = EpochFile.read(file(head.epoch()));
        long good = file.goodLength();
        if (file.torn(good) > 0) {
            messages.accept(file(head.epoch()) + ": " + file.torn(good)
                    + " bytes at the end were not completely written; they are left out");
        }
        return good;
    }

    /** Tells all entries up to a length of an epoch, from the first epoch on. */
    void replay(Header head, long length, Consumer<Entry> to) throws IOException {
        Deque<Header> chain = new ArrayDeque<>();
        Deque<Long> lengths = new ArrayDeque<>();
        Header header = head;
        long counted = length;
        while (true) {
            chain.push(header);
            lengths.push(counted);
            if (header.previous() == 0) {
                break;
            }
            counted = header.length();
            long previous = header.previous();
            Path file = file(previous);
            header = Files.exists(file) ? EpochFile.read(file).header() : null;
            if (header == null) {
                throw new DamagedException(file, 0, "the header is damaged or the file is gone");
            }
        }
        while (!chain.isEmpty()) {
            EpochFile.read(file(chain.pop().epoch())).replay(lengths.pop(), to);
        }
    }

    /** Makes durable which files there are. */
    static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
