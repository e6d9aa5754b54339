package io.sheaf.workflow.generate;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short hash of everything in a generated workflow. */
final class Fingerprint {
    private Fingerprint() {}

    static String of(Workflow w) {
        StringBuilder text = new StringBuilder(w.name());
        for (int task = 0; task < w.size(); task++) {
            text.append('\n')
                    .append(w.id(task))
                    .append(' ')
                    .append(w.category(task).name());
            text.append(' ').append(w.timeMicros(task)).append(' ').append(needs(w.resources(task)));
            text.append(' ').append(w.scaling(task));
            for (int i = 0; i < w.parents(task); i++) {
                text.append(' ').append(w.parent(task, i));
            }
            for (int i = 0; i < w.inputs(task); i++) {
                int file = w.input(task, i);
                text.append(' ').append(w.fileName(file)).append(' ').append(w.fileSize(file));
            }
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Written as it was before tasks could share a core. */
    private static String needs(Resources needed) {
        String whole = "Resources[cores=" + needed.cores() + ", memory=" + needed.memory() + ", gpus=" + needed.gpus()
                + ", nodes=" + needed.nodes() + "]";
        return needed.isShare() ? whole + " share " + needed.share() : whole;
    }
}
