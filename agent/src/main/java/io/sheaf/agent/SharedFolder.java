package io.sheaf.agent;

import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.TaskFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The workflow's own folder, in which all its tasks run. */
final class SharedFolder implements Workspace {
    private final TaskFiles files;
    private final Path folder;

    SharedFolder(TaskFiles files) {
        this.files = files;
        folder = Path.of(files.folder());
    }

    /** Removes stale outputs: one that an earlier attempt left half written must not count as this one's. */
    @Override
    public void prepare() throws IOException {
        for (String output : files.outputs()) {
            // A task that changes a file needs it as it is.
            if (!files.inputs().contains(output)) {
                if (isOwnFolder(output)) {
                    Trees.delete(folder.resolve(output));
                    Files.createDirectories(folder.resolve(output));
                } else {
                    remove(folder.resolve(output).toAbsolutePath());
                }
            }
        }
    }

    /** Whether an output is a folder below the working folder that belongs to the task as a whole. */
    static boolean isOwnFolder(String output) {
        Path name = Path.of(output).normalize();
        return output.endsWith("/")
                && !name.isAbsolute()
                && !name.startsWith("..")
                && !name.toString().isEmpty();
    }

    private static void remove(Path file) throws IOException {
        try {
            if (!Files.deleteIfExists(file)) {
                Files.createDirectories(file.resolveSibling(""));
            }
        } catch (DirectoryNotEmptyException e) {
            // Other processes may have files in that folder.
        }
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public List<String> absent() {
        return absent(folder, files.outputs());
    }

    static List<String> absent(Path folder, List<String> outputs) {
        List<String> absent = new ArrayList<>();
        for (String output : outputs) {
            Path file = folder.resolve(output);
            if (!Files.exists(file)) {
                absent.add(output);
                refresh(file.toAbsolutePath().resolveSibling(""));
            }
        }
        return absent;
    }

    /** Lists a folder: network file systems remember for a while that a file is absent, unless its folder is read again. */
    private static void refresh(Path folder) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> {});
        } catch (IOException | DirectoryIteratorException e) {
            // The folder is absent too.
        }
    }

    @Override
    public List<Output> commit() throws IOException {
        return describe(folder, files.outputs());
    }

    static List<Output> describe(Path folder, List<String> names) throws IOException {
        List<Output> outputs = new ArrayList<>(names.size());
        for (String name : names) {
            BasicFileAttributes attributes = Files.readAttributes(folder.resolve(name), BasicFileAttributes.class);
            outputs.add(new Output(
                    name, attributes.size(), attributes.lastModifiedTime().toMillis()));
        }
        return outputs;
    }

    @Override
    public String abandon() {
        return "";
    }
}
