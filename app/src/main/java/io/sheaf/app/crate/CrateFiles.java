package io.sheaf.app.crate;

import io.sheaf.runtime.rerun.FileDigests;
import io.sheaf.runtime.rerun.FileDigests.Digest;
import io.sheaf.runtime.rerun.FileDigests.FileState;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files of a workflow as data entities: in the crate, or at their place with an absolute URI.
 *
 * <p>A file is copied if it is as the run left it and not larger than a limit. The paths of copies follow those of the originals: below
 * {@code files} those in the folder of the tasks, below {@code elsewhere} the others.
 */
final class CrateFiles {
    /**
     * A file.
     *
     * @param id its id in the crate
     * @param path its path in the crate; empty if it is not copied
     * @param original its absolute path
     */
    record CrateFile(String name, String id, String path, Path original, Digest digest) {}

    private final Path folder;
    private final FileDigests digests;
    private final long maxBytes;
    private final Map<Path, CrateFile> entries = new LinkedHashMap<>();

    /**
     * Files of a run.
     *
     * @param folder where the tasks ran
     * @param maxBytes the maximum size of copied files, in bytes
     */
    CrateFiles(Path folder, FileDigests digests, long maxBytes) {
        this.folder = folder.toAbsolutePath().normalize();
        this.digests = digests;
        this.maxBytes = maxBytes;
    }

    CrateFile of(String name) {
        return entries.computeIfAbsent(folder.resolve(name).normalize(), original -> entry(name, original));
    }

    /** All files so far, in order. */
    Collection<CrateFile> all() {
        return entries.values();
    }

    private CrateFile entry(String name, Path original) {
        Digest digest = digests.of(name);
        boolean copied = digest.state() == FileState.SAME && digest.bytes() <= maxBytes;
        String path = !copied
                ? ""
                : original.startsWith(folder) ? "files/" + folder.relativize(original) : "elsewhere" + original;
        String end = digest.state() == FileState.FOLDER ? "/" : "";
        String id = copied ? Entities.encoded(path) : "file://" + Entities.encoded(original.toString()) + end;
        return new CrateFile(name, id, path, original, digest);
    }

    /** Writes a file's entity. */
    static void write(Entities out, CrateFile entry) {
        Digest digest = entry.digest;
        out.entity(entry.id, digest.state() == FileState.FOLDER ? "Dataset" : "File")
                .text("name", entry.name)
                .text(
                        "alternateName",
                        entry.path.isEmpty() || entry.path.startsWith("files/") ? "" : entry.original.toString())
                .text("contentSize", digest.bytes() == FileDigests.UNKNOWN ? "" : Long.toString(digest.bytes()))
                .text("sha256", digest.sha256())
                .text(
                        "description",
                        switch (digest.state()) {
                            case SAME -> "";
                            case FOLDER -> "A folder; its content is not listed.";
                            case CHANGED -> "Size and digest are those of the run; the file has changed since.";
                            case ABSENT -> "The file no longer exists.";
                        })
                .end();
    }
}
