package io.sheaf.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Distinguishes file systems of this node from network file systems, which may show a task's files late. */
final class LocalFiles {
    private static final Set<String> LOCAL = Set.of(
            "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "jfs", "tmpfs", "ramfs", "overlay", "aufs", "apfs");

    private LocalFiles() {}

    /** Whether a folder is certainly on a file system of this node. */
    static boolean areIn(Path folder) {
        try {
            return LOCAL.contains(Files.getFileStore(folder).type());
        } catch (IOException e) {
            return false;
        }
    }
}
