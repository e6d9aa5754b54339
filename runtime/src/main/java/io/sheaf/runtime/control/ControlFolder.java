package io.sheaf.runtime.control;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder {@code inbox} of a run: what users want of it, a file each, until the process in charge has made it durable in its journal.
 *
 * <p>A file is written under another name, made durable and renamed: it is there as a whole or not at all. Names begin with the instant, so they sort as they
 * came. No process has to be in charge when something is put in.
 */
public final class ControlFolder {
    /** The most bytes of a wish, and the most that may wait. */
    public static final int MOST_BYTES = 64 << 20;

    private static final int MOST_WAITING = 1_000;
    private static final String ENDING = ".wish";
    private static final String GATHER = "gather";

    /** Submissions that keep coming are taken at last, after so many times the patience. */
    private static final int MOST_PATIENCE = 100;

    private static final Pattern NAME = Pattern.compile("[0-9]{19}-[0-9a-f]{16}\\.wish");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final AtomicLong LAST = new AtomicLong();

    private final Path folder;

    public ControlFolder(Path run) {
        folder = run.resolve("inbox");
    }

    /** Puts something in; it is durable then. */
    public void put(ControlRequest wish) throws IOException {
        byte[] bytes = ControlRequestCodec.bytes(wish);
        if (bytes.length > MOST_BYTES) {
            throw new InputException("the workflow takes " + SizeText.text(bytes.length) + ", more than "
                    + SizeText.text(MOST_BYTES) + ". Maybe split it");
        }
        Files.createDirectories(folder);
        if (isFull()) {
            throw new InputException(
                    MOST_WAITING + " submissions wait to be taken; try again later, or see whether 'sheaf serve' runs");
        }
        byte[] random = new byte[8];
        RANDOM.nextBytes(random);
        long now = System.currentTimeMillis() * 1_000;
        long instant = LAST.updateAndGet(last -> Math.max(last + 1, now));
        String name =
                String.format(Locale.ROOT, "%019d-", instant) + HexFormat.of().formatHex(random);
        Path made = folder.resolve(name + ".tmp");
        try (FileChannel channel = FileChannel.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(made);
            throw e;
        }
        Files.move(made, folder.resolve(name + ENDING), StandardCopyOption.ATOMIC_MOVE);
        sync();
    }

    /** Makes durable what was put in and removed. */
    public void sync() throws IOException {
        if (Files.exists(folder)) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /** How much waits. */
    public int waiting() {
        return names().size();
    }

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return names().isEmpty();
    }

    /**
     * Has submissions taken together that come one soon after the other: only when none has come for so long, in milliseconds, or whoever handed them in has
     * ended.
     */
    public void gather(long millis) throws IOException {
        Files.createDirectories(folder);
        RunFolder.replace(folder.resolve(GATHER), Long.toString(millis));
    }

    /** Whether the limit of waiting requests is reached. */
    public boolean isFull() {
        return names().size() >= MOST_WAITING;
    }

    /** Notes the program that is about to hand something in by this process: more is likely to come until it has ended, and what came is complete then. */
    public void noteSubmitter() throws IOException {
        note(Submitters.above());
    }

    /** Records this process as a program that submits tasks. */
    public void noteThisProcess() throws IOException {
        note(LivingProcess.of(ProcessHandle.current().pid()));
    }

    private void note(@Nullable LivingProcess program) throws IOException {
        if (program != null) {
            Files.createDirectories(folder);
            new Submitters(folder).add(program);
        }
    }

    /** Whether a program that has handed something in lives, so that more is likely to come. */
    public boolean isAwaited() throws IOException {
        Submitters submitters = new Submitters(folder);
        boolean living = submitters.areLiving();
        if (!living && !isGathering()) {
            // Those that have ended are forgotten.
            submitters.haveEnded();
        }
        return living;
    }

    /** Whether submissions are taken together. */
    public boolean isGathering() {
        return Files.exists(folder.resolve(GATHER));
    }

    /** The names of what is to be taken now, in order: all that waits, or nothing while more may come. */
    public List<String> due() throws IOException {
        List<String> names = names();
        if (names.isEmpty() || !isGathering()) {
            return names;
        }
        long patience = Long.parseLong(Files.readString(folder.resolve(GATHER)).strip()) * 1_000;
        long now = System.currentTimeMillis() * 1_000;
        boolean quiet = now - instant(names.get(names.size() - 1)) >= patience;
        boolean late = now - instant(names.get(0)) >= MOST_PATIENCE * patience;
        // A clock that was set back must not keep them for ever.
        boolean ahead = instant(names.get(0)) > now + patience;
        return quiet || late || ahead || new Submitters(folder).haveEnded() ? names : List.of();
    }

    private static long instant(String name) {
        return Long.parseLong(name.substring(0, name.indexOf('-')));
    }

    /** Whether a workflow of this id waits. */
    public boolean has(String id) throws IOException {
        for (String name : names()) {
            if (holds(name, id)) {
                return true;
            }
        }
        return false;
    }

    private boolean holds(String name, String id) throws IOException {
        try {
            return read(name) instanceof ControlRequest.Submit submit
                    && submit.origin().id().equals(id);
        } catch (NoSuchFileException e) {
            // It was taken meanwhile.
            return false;
        }
    }

    /** The names of what waits, in order. */
    public List<String> names() {
        String[] all = folder.toFile().list();
        List<String> found = new ArrayList<>();
        for (String name : all == null ? new String[0] : all) {
            if (NAME.matcher(name).matches()) {
                found.add(name);
            }
        }
        found.sort(null);
        return found;
    }

    /** What a file holds. */
    public ControlRequest read(String name) throws IOException {
        Path file = folder.resolve(name);
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException("it is too large");
        }
        return ControlRequestCodec.read(Files.readAllBytes(file));
    }

    /** It was heeded. */
    public void remove(String name) {
        try {
            removeSurely(name);
        } catch (IOException e) {
            // It is looked at again, and known to have been heeded.
            return;
        }
    }

    /** It was heeded, and nobody will know that any more. */
    public void removeSurely(String name) throws IOException {
        Files.deleteIfExists(folder.resolve(name));
    }

    /** It cannot be heeded; it is kept beside with the reason. */
    public void refuse(String name, String why) throws IOException {
        Path refused = folder.resolve("refused");
        Files.createDirectories(refused);
        RunFolder.replace(refused.resolve(name + ".txt"), why + "\n");
        try {
            Files.move(folder.resolve(name), refused.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
            // Somebody has taken it away; it is refused all the same.
            return;
        }
    }

    /** The reasons of refused submissions by the ids of their tasks, without the first {@code known} submissions. */
    public Map<String, String> refusedIds(int known) throws IOException {
        Map<String, String> reasons = new LinkedHashMap<>();
        List<Path> all = refused();
        for (Path why : all.subList(Math.min(known, all.size()), all.size())) {
            Path wish = why.resolveSibling(why.getFileName().toString().replaceFirst("\\.txt$", ""));
            if (Files.exists(wish)
                    && ControlRequestCodec.read(Files.readAllBytes(wish)) instanceof ControlRequest.Submit submit) {
                String reason = Files.readString(why).strip();
                for (int task = 0; task < submit.tasks().size(); task++) {
                    reasons.put(submit.tasks().id(task), reason);
                }
            }
        }
        return reasons;
    }

    /** Why things were refused, by the names of their files. */
    public List<Path> refused() throws IOException {
        Path refused = folder.resolve("refused");
        String[] all = refused.toFile().list((f, name) -> name.endsWith(".txt"));
        return Arrays.stream(all == null ? new String[0] : all)
                .sorted()
                .map(refused::resolve)
                .toList();
    }
}
