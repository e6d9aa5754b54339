package io.sheaf.agent;

import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.TaskFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A private folder of one attempt below the workflow's folder: inputs are linked into it, outputs are renamed out of it after success.
 * Partial outputs and outputs of failed attempts are never visible.
 *
 * <p>Files with absolute names, or outside the workflow's folder, are used in place.
 */
final class IsolatedFolder implements Workspace {
    private final TaskFiles files;
    private final Path shared;
    private final Path own;

    IsolatedFolder(TaskFiles files, String name) {
        this.files = files;
        shared = Path.of(files.folder());
        // Below the shared folder, so that renaming stays within one file system.
        own = shared.resolve(".sheaf").resolve(name);
    }

    @Override
    public void prepare() throws IOException {
        Trees.delete(own);
        Files.createDirectories(own);
        for (String input : files.inputs()) {
            Path name = inside(input);
            if (name != null) {
                Path link = own.resolve(name);
                Files.createDirectories(link.resolveSibling(""));
                Files.createSymbolicLink(link, shared.resolve(name).toAbsolutePath());
            }
        }
        for (String output : files.outputs()) {
            Path name = inside(output);
            if (name != null) {
                Path file = own.resolve(name);
                Files.createDirectories(SharedFolder.isOwnFolder(output) ? file : file.resolveSibling(""));
            }
        }
    }

    /** The name below the folder, or null if it leads out of it. */
    private static @Nullable Path inside(String file) {
        Path name = Path.of(file).normalize();
        return name.isAbsolute() || name.startsWith("..") || name.toString().isEmpty() ? null : name;
    }

    @Override
    public Path folder() {
        return own;
    }

    @Override
    public List<String> absent() {
        return SharedFolder.absent(own, files.outputs());
    }

    @Override
    public List<Output> commit() throws IOException {
        for (String output : files.outputs()) {
            Path name = inside(output);
            // A task that changes an input has changed it through its link.
            if (name != null && !Files.isSymbolicLink(own.resolve(name))) {
                Path target = shared.resolve(name);
                Files.createDirectories(target.toAbsolutePath().resolveSibling(""));
                if (SharedFolder.isOwnFolder(output)) {
                    Trees.delete(target);
                }
                Files.move(
                        own.resolve(name), target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        List<Output> outputs = SharedFolder.describe(shared, files.outputs());
        Trees.delete(own);
        return outputs;
    }

    @Override
    public String abandon() {
        return Files.isDirectory(own) ? "its files are in " + own : "";
    }
}
