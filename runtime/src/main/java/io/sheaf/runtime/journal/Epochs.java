package io.sheaf.runtime.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files in a journal's folder: one per epoch, each continuing an earlier one. */
record Epochs(Path folder) {
    private static final Pattern NAME = Pattern.compile("[0-9]{6,18}\\.log");

    Path file(long epoch) {
        return folder.resolve(String.format(Locale.ROOT, "%06d.log", epoch));
    }

    /** The highest epoch number in the folder; 0 if there is none. */
    long newest() throws IOException {
        // Called on every commit. Lists the folder, because network file systems cache that a file
        // is absent.
        String[] names = folder.toFile().list();
        if (names == null && Files.isDirectory(folder)) {
            throw new IOException("cannot list " + folder);
        }
        return Stream.of(names == null ? new String[0] : names)
                .filter(name -> NAME.matcher(name).matches())
                .mapToLong(name -> Long.parseLong(name.substring(0, name.indexOf('.'))))
                .max()
                .orElse(0);
    }

    /** The newest header up to this epoch; null if there is none. */
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

    /** The valid length of an epoch's file in bytes; reports a torn tail. */
    long goodLength(Header head, Consumer<String> messages) throws IOException {
        EpochFile file = EpochFile.read(file(head.epoch()));
        long good = file.goodLength();
        if (file.torn(good) > 0) {
            messages.accept(file(head.epoch()) + ": " + file.torn(good)
                    + " bytes at the end were not completely written; they are ignored");
        }
        return good;
    }

    /** A file and its valid length. */
    record ValidFile(Header header, EpochFile file, long length) {}

    /** Passes on all needed entries up to a length of an epoch, or none if any file of the chain is unreadable. */
    void replay(Header head, long length, Consumer<JournalEntry> to) throws IOException {
        for (ValidFile each : chain(head, length)) {
            each.file.replay(each.length, to);
        }
    }

    /** The files that contain the valid entries up to a length of an epoch, oldest first. */
    Deque<ValidFile> chain(Header head, long length) throws IOException {
        Deque<ValidFile> chain = new ArrayDeque<>();
        ValidFile first = new ValidFile(head, EpochFile.read(file(head.epoch())), length);
        chain.push(first);
        while (first.header.previous() != 0 && !first.file.beginsAnew(first.length)) {
            Path file = file(first.header.previous());
            EpochFile before = Files.exists(file) ? EpochFile.read(file) : null;
            Header header = before == null ? null : before.header();
            if (before == null || header == null) {
                throw new DamagedException(file, 0, "the header is damaged or the file is missing");
            }
            first = new ValidFile(header, before, first.header.length());
            chain.push(first);
        }
        return chain;
    }

    List<Path> before(Deque<ValidFile> chain) {
        return LongStream.range(1, chain.getFirst().header.epoch())
                .mapToObj(this::file)
                .filter(file -> Files.exists(file))
                .toList();
    }
}
