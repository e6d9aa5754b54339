package io.sheaf.formats;

import io.sheaf.text.InputException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * An input text and the texts that it refers to: a file with its folder, or bytes in memory.
 *
 * <p>Gzip, recognised by its first bytes, is decompressed. At most {@link #MAX_BYTES} are read, and a compressed file may not expand to far more
 * than texts do, so that a small one can fill neither memory nor time.
 */
public final class Source {
    /** Of one file, once decompressed. */
    public static final long MAX_BYTES = 16L << 30;

    /** Of decompressed and compressed bytes; logs and workflows have 5 to 30. */
    private static final int MAX_EXPANSION = 100;

    /** Decompressed bytes below which expansion is harmless. */
    private static final long HARMLESS_BYTES = 512 << 10;

    /** Of compressed bytes: little, as what is read ahead counts as read. */
    private static final int READ_AHEAD = 4 << 10;

    private static final int MAX_READ_ONCE = 1 << 30;

    private interface Opener {
        InputStream open(String name) throws IOException;
    }

    private final String name;
    private final Opener opener;
    private final long memory;
    private final WorkflowParameters parameters;
    private final @Nullable Path folder;
    private final Set<String> written;
    private final Consumer<Deferred> deferred;

    private Source(String name, Opener opener, @Nullable Path folder) {
        this(
                name,
                opener,
                Runtime.getRuntime().maxMemory() / 4 * 3,
                WorkflowParameters.NONE,
                folder,
                Set.of(),
                group -> {});
    }

    private Source(
            String name,
            Opener opener,
            long memory,
            WorkflowParameters parameters,
            @Nullable Path folder,
            Set<String> written,
            Consumer<Deferred> deferred) {
        this.written = Set.copyOf(written);
        this.deferred = deferred;
        this.name = name;
        this.opener = opener;
        this.memory = memory;
        this.parameters = parameters;
        this.folder = folder;
    }

    /**
     * The same source, whose workflow has the groups over files that certain tasks write.
     *
     * @param names the tasks and groups that have written their files
     * @param reader receives the groups that are not in the workflow
     */
    public Source written(Set<String> names, Consumer<Deferred> reader) {
        return new Source(name, opener, memory, parameters, folder, names, reader);
    }

    /** The names of tasks and groups that have written their files. */
    public Set<String> written() {
        return written;
    }

    /** Reports a group that is not in the workflow. */
    public void defer(Deferred group) {
        deferred.accept(group);
    }

    /** The same source with values for its variables. */
    public Source with(WorkflowParameters parameters) {
        return new Source(name, opener, memory, parameters, folder, written, deferred);
    }

    public WorkflowParameters parameters() {
        return parameters;
    }

    /** The same source, whose workflow runs in another folder than that of its file. */
    public Source in(Path workFolder) {
        return new Source(name, opener, memory, parameters, workFolder, written, deferred);
    }

    /** The folder in which patterns of file names are searched; null if the source may not see files. */
    public @Nullable Path folder() {
        return folder;
    }

    /** The same source with a lower limit on the memory of the resulting workflow: a few lines can expand to very many tasks. */
    public Source within(long bytes) {
        return new Source(name, opener, Math.min(memory, bytes), parameters, folder, written, deferred);
    }

    /** The memory limit of the resulting workflow in bytes; by default three quarters of the Java heap. */
    public long memory() {
        return memory;
    }

    /** A file or another readable path; a pipe is buffered in memory. */
    public static Source of(Path file) {
        Map<String, byte[]> kept = new HashMap<>();
        return new Source(
                file.toString(),
                name -> {
                    byte[] text = kept.get(name);
                    if (text == null && isReadOnce(Path.of(name))) {
                        text = readOnce(name);
                        kept.put(name, text);
                    }
                    return text == null ? Files.newInputStream(Path.of(name)) : new ByteArrayInputStream(text);
                },
                file.resolveSibling(""));
    }

    private static boolean isReadOnce(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    private static byte[] readOnce(String name) throws IOException {
        // Methods that read everything query the position, which a pipe does not have.
        try (InputStream in = new FileInputStream(name)) {
            return readOnce(name, in);
        }
    }

    /** Standard input, read as a whole. */
    public static Source standardInput() throws IOException {
        String name = "standard input";
        return of(name, readOnce(name, System.in), Path.of(""));
    }

    /** All of a pipe; refused if it would fill the memory. */
    static byte[] readOnce(String name, InputStream in) throws IOException {
        long max = Math.min(MAX_READ_ONCE, Runtime.getRuntime().maxMemory() / 4);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            text.write(buffer, 0, count);
            if (text.size() > max) {
                throw new InputException(
                                "is too large to be read from a pipe (" + (max >> 20) + " MiB); save it in a file")
                        .in(name);
            }
        }
        return text.toByteArray();
    }

    /** A text in memory, such as standard input, that refers to files in a folder. */
    public static Source of(String name, byte[] text, Path folder) {
        return new Source(
                name,
                path -> path.equals(name) ? new ByteArrayInputStream(text) : Files.newInputStream(folder.resolve(path)),
                folder);
    }

    /** Texts in memory by name: the source itself under the given name, and those it may refer to. */
    public static Source of(String name, Map<String, byte[]> texts) {
        return new Source(
                name,
                path -> {
                    byte[] text = texts.get(path);
                    if (text == null) {
                        throw new IOException("no such file");
                    }
                    return new ByteArrayInputStream(text);
                },
                null);
    }

    public static Source of(String name, byte[] text) {
        return of(name, Map.of(name, text));
    }

    /** The file's name as the user wrote it. */
    public String name() {
        return name;
    }

    /** The name without folders, without {@code .gz} and without the last suffix: what a nameless workflow is called. */
    public String stem() {
        String last = name.substring(name.lastIndexOf('/') + 1);
        last = last.endsWith(".gz") ? last.substring(0, last.length() - 3) : last;
        int dot = last.lastIndexOf('.');
        return dot > 0 ? last.substring(0, dot) : last;
    }

    /** A text that this one refers to, by a path relative to this one's folder. */
    public Source sibling(String relative) {
        int slash = name.lastIndexOf('/');
        boolean absolute = relative.startsWith("/");
        return new Source(
                absolute || slash < 0 ? relative : name.substring(0, slash + 1) + relative,
                opener,
                memory,
                parameters,
                folder,
                written,
                deferred);
    }

    /** Opens the text; the caller closes it. */
    public InputStream open() {
        try {
            return unpacked(opener.open(name));
        } catch (NoSuchFileException e) {
            throw new InputException("there is no such file").in(name);
        } catch (AccessDeniedException e) {
            throw new InputException("permission denied; check the file's permissions").in(name);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** A text, decompressed if it is gzip; reading beyond the limits of size and expansion throws an {@link InputException}. */
    public static InputStream unpacked(InputStream text) throws IOException {
        InputStream raw = new BufferedInputStream(text, 1 << 16);
        raw.mark(2);
        boolean gzip = raw.read() == 0x1f && raw.read() == 0x8b;
        raw.reset();
        CountedStream counted = new CountedStream(raw);
        return gzip
                ? new BoundedStream(new GZIPInputStream(counted, READ_AHEAD), counted)
                : new BoundedStream(raw, null);
    }

    /** Runs a reader on the opened text; errors carry this source's name. */
    public <T> T read(Parser<T> reading) {
        try (InputStream in = open()) {
            return reading.read(in);
        } catch (InputException e) {
            throw e.in(name);
        } catch (IOException e) {
            throw unreadable(e);
        } catch (UncheckedIOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(name);
        }
    }

    private InputException unreadable(IOException e) {
        // A folder can be opened on Linux; reading it fails with a message that names no cause worth showing.
        boolean folder = "Is a directory".equals(e.getMessage());
        return new InputException(folder ? "is a folder; name a file in it" : "cannot be read: " + e.getMessage())
                .in(name);
    }

    /** Parses a text. */
    @FunctionalInterface
    public interface Parser<T> {
        T read(InputStream in) throws IOException;
    }

    /** Counts what is read. */
    private static class CountedStream extends FilterInputStream {
        long bytes;

        CountedStream(InputStream in) {
            super(in);
        }

        @Override
        public final int read() throws IOException {
            int next = super.read();
            if (next >= 0) {
                count(1);
            }
            return next;
        }

        @Override
        public final int read(byte[] into, int from, int length) throws IOException {
            int count = super.read(into, from, length);
            if (count > 0) {
                count(count);
            }
            return count;
        }

        void count(int more) {
            bytes += more;
        }

        @Override
        public final boolean markSupported() {
            return false;
        }
    }

    /** An input stream with a size limit, and one on its expansion if it is compressed; reading beyond throws an {@link InputException}. */
    private static final class BoundedStream extends CountedStream {
        private final @Nullable CountedStream compressed;

        BoundedStream(InputStream in, @Nullable CountedStream compressed) {
            super(in);
            this.compressed = compressed;
        }

        @Override
        void count(int more) {
            super.count(more);
            if (bytes > MAX_BYTES) {
                throw new InputException("is larger than " + MAX_BYTES + " bytes; Sheaf does not read larger files");
            }
            if (compressed != null && bytes > HARMLESS_BYTES && bytes / MAX_EXPANSION > compressed.bytes) {
                throw new InputException("expands to more than " + MAX_EXPANSION
                        + " times its compressed size, as no log or workflow does; decompress it first if it is right");
            }
        }
    }
}
