package io.sheaf.lab.experiment;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The input files of an experiment, searched in its folder and then in the data folders; keeps the hash of each file that is read. */
public final class Inputs {
    private final List<Path> folders;
    private final Map<String, String> hashes = new TreeMap<>();

    public Inputs(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    public List<Path> dataFolders() {
        return folders.subList(1, folders.size());
    }

    /** The SHA-256 of each file that was read, by file name without its folder. */
    public Map<String, String> hashes() {
        return Collections.unmodifiableMap(hashes);
    }

    /** The file of this name, or null. */
    public @Nullable Path find(String name) {
        for (Path folder : folders) {
            Path file = resolve(folder, name);
            if (Files.isRegularFile(file)) {
                return read(file);
            }
        }
        return null;
    }

    /** The matching files of the first folder that has any, sorted by name; the last part of a pattern may hold {@code *} and {@code ?}. */
    public List<Path> matching(String pattern) {
        if (pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0) {
            Path one = find(pattern);
            return one == null ? List.of() : List.of(one);
        }
        int slash = pattern.lastIndexOf('/');
        for (Path folder : folders) {
            List<Path> found = list(
                    slash < 0 ? folder : resolve(folder, pattern.substring(0, slash)), pattern.substring(slash + 1));
            if (!found.isEmpty()) {
                found.forEach(this::read);
                return found;
            }
        }
        return List.of();
    }

    private static List<Path> list(Path folder, String glob) {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, glob)) {
                all.forEach(found::add);
            } catch (IOException e) {
                throw new InputException("cannot be listed: " + e.getMessage()).in(folder.toString());
            }
        }
        found.removeIf(file -> !Files.isRegularFile(file));
        Collections.sort(found);
        return found;
    }

    private static Path resolve(Path folder, String name) {
        try {
            return folder.resolve(name);
        } catch (InvalidPathException e) {
            throw new InputException("'" + name + "' is not a file name: " + e.getReason());
        }
    }

    private Path read(Path file) {
        hashes.put(String.valueOf(file.getFileName()), hash(file));
        return file;
    }

    private static String hash(Path file) {
        MessageDigest digest = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new InputException("cannot be read: " + e.getMessage()).in(file.toString());
        }
    }

    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
