package io.sheaf.runtime.rerun;

import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The digest of a task's command, variables, setup and container. Requests (cores, memory, time, retries) are excluded.
 */
final class CommandDigest {
    private CommandDigest() {}

    static String of(Workflow workflow, int task) {
        MessageDigest digest = sha256();
        Command command = workflow.command(task);
        if (command != null) {
            command.argv().forEach(word -> add(digest, 'a', word));
            command.environment().forEach((name, value) -> {
                add(digest, 'n', name);
                add(digest, 'v', value);
            });
        }
        Category category = workflow.category(task);
        category.setup().forEach(line -> add(digest, 's', line));
        String container = category.container();
        if (container != null) {
            add(digest, 'c', container);
        }
        return text(digest);
    }

    /** Adds a part with its kind and length, so that different lists of parts never collide. */
    private static void add(MessageDigest digest, char kind, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((byte) kind);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        digest.update(bytes);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static String text(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }
}
