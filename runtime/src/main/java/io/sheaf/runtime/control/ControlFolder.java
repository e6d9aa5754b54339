package io.sheaf.runtime.control;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.manager.ExpectedTasks;
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

/**
 * The folder {@code inbox} of a run: one file per control request, until the manager has made the request durable
 * in its journal.
 *
 * <p>A file is written under a temporary name, made durable and renamed, so that it is complete or absent. File
 * names begin with the instant and sort in order of arrival. Requests can be added while no manager is running.
 */
public final class ControlFolder {
    /** The maximum size of a request, in bytes. */
    public static final int MAX_BYTES = 64 << 20;

    private static final int MAX_WAITING = 1_000;
    private static final String ENDING = ".request";
    /** The file with what the submitting program expects to submit. */
    private static final String EXPECTED = "expected";

    private static final String GATHER = "gather";

    /** The maximum time to gather submissions, as a multiple of the patience. */
    private static final int MAX_PATIENCE = 100;

    private static final Pattern NAME = Pattern.compile("[0-9]{19}-[0-9a-f]{16}\\.request");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final AtomicLong LAST = new AtomicLong();

    private final Path folder;

    public ControlFolder(Path run) {
        folder = run.resolve("inbox");
    }

    /** Adds a request; it is durable on return. */
    public void put(ControlRequest request) throws IOException {
        byte[] bytes = ControlRequestCodec.bytes(request);
        if (bytes.length > MAX_BYTES) {
            throw new InputException("the workflow takes " + SizeText.text(bytes.length) + ", more than "
                    + SizeText.text(MAX_BYTES) + ". Maybe split it");
        }
        Files.createDirectories(folder);
        if (isFull()) {
            throw new InputException(
                    MAX_WAITING + " submissions are pending; retry later, or check that 'sheaf serve' is running");
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

    /** Makes additions and removals durable. */
    public void sync() throws IOException {
        if (Files.exists(folder)) {
            RunFolder.sync(folder);
        }
    }

    /** Whether no request is waiting. */
    public boolean isEmpty() {
        return names().isEmpty();
    }

    /**
     * Gathers submissions that arrive in quick succession: they are due when none has arrived for {@code millis},
     * or all submitting programs have ended.
     */
    public void gather(long millis) throws IOException {
        Files.createDirectories(folder);
        RunFolder.replace(folder.resolve(GATHER), Long.toString(millis));
    }

    /** Whether the limit of waiting requests is reached. */
    public boolean isFull() {
        return names().size() >= MAX_WAITING;
    }

    /**
     * Records the program that submits a task through this process. More submissions are expected until it has
     * ended.
     */
    public void noteSubmitter(String task) throws IOException {
        new Submitters(folder).add(Submitters.above(), task);
    }

    /** Records this process as a program that submits tasks. */
    public void noteThisProcess() throws IOException {
        new Submitters(folder).add(LivingProcess.of(ProcessHandle.current().pid()), "");
    }

    /** The ids of the tasks that a process of this machine has submitted by repeated calls of the command. */
    public List<String> submittedBy(long pid) throws IOException {
        LivingProcess program = LivingProcess.of(pid);
        if (program == null) {
            throw new InputException("there is no process " + pid + " on this machine");
        }
        return new Submitters(folder).tasks(program);
    }

    /** Records what the submitting program expects to submit after its tasks, in place of what it expected before. */
    public void expect(List<ExpectedTasks> expected) throws IOException {
        Files.createDirectories(folder);
        StringBuilder text = new StringBuilder();
        expected.forEach(each -> text.append(each.count() + " " + each.millis() + " " + each.cores() + "\n"));
        RunFolder.replace(folder.resolve(EXPECTED), text.toString());
    }

    /** What the submitting program expects to submit; empty if it is not known. */
    public List<ExpectedTasks> expected() throws IOException {
        List<ExpectedTasks> expected = new ArrayList<>();
        for (String line : RunFolder.lines(folder.resolve(EXPECTED))) {
            String[] words = line.split(" ", -1);
            expected.add(new ExpectedTasks(
                    Integer.parseInt(words[0]), Long.parseLong(words[1]), Integer.parseInt(words[2])));
        }
        return expected;
    }

    /** Whether a submitting program is alive, so that more submissions are expected. */
    public boolean isAwaited() throws IOException {
        Submitters submitters = new Submitters(folder);
        boolean submitterAlive = submitters.areLiving();
        if (!submitterAlive && !isGathering()) {
            // Removes the records of ended programs.
            submitters.haveEnded();
        }
        return submitterAlive;
    }

    public boolean isGathering() {
        return Files.exists(folder.resolve(GATHER));
    }

    /**
     * The names of the requests that are due, in order: all waiting requests, or none while submissions are
     * gathered.
     */
    public List<String> due() throws IOException {
        List<String> names = names();
        if (names.isEmpty() || !isGathering()) {
            return names;
        }
        long patience = Long.parseLong(Files.readString(folder.resolve(GATHER)).strip()) * 1_000;
        long now = System.currentTimeMillis() * 1_000;
        boolean quiet = now - instant(names.get(names.size() - 1)) >= patience;
        boolean late = now - instant(names.get(0)) >= MAX_PATIENCE * patience;
        // A clock that was set back must not delay them for ever.
        boolean ahead = instant(names.get(0)) > now + patience;
        return quiet || late || ahead || new Submitters(folder).haveEnded() ? names : List.of();
    }

    private static long instant(String name) {
        return Long.parseLong(name.substring(0, name.indexOf('-')));
    }

    /** Whether a workflow with this id is waiting. */
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
            // The manager has removed it meanwhile.
            return false;
        }
    }

    /** The names of all waiting requests, in order. */
    public List<String> names() {
        String[] all = folder.toFile().list();
        return Arrays.stream(all == null ? new String[0] : all)
                .filter(name -> NAME.matcher(name).matches())
                .sorted()
                .toList();
    }

    public ControlRequest read(String name) throws IOException {
        Path file = folder.resolve(name);
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("it is too large");
        }
        return ControlRequestCodec.read(Files.readAllBytes(file));
    }

    /** Removes an applied request. */
    public void remove(String name) {
        try {
            removeSurely(name);
        } catch (IOException e) {
            // The request is read again and recognized as applied.
        }
    }

    /** Removes an applied request durably, because the run will no longer recognize it as applied. */
    public void removeSurely(String name) throws IOException {
        Files.deleteIfExists(folder.resolve(name));
    }

    /** Refuses a request; keeps it in a separate folder with the reason. */
    public void refuse(String name, String why) throws IOException {
        Path refused = folder.resolve("refused");
        Files.createDirectories(refused);
        RunFolder.replace(refused.resolve(name + ".txt"), why + "\n");
        try {
            Files.move(folder.resolve(name), refused.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
            // The file was removed by another process; the request is refused all the same.
        }
    }

    /** The reasons of refused submissions by the ids of their tasks, without the first {@code known} submissions. */
    public Map<String, String> refusedIds(int known) throws IOException {
        Map<String, String> reasons = new LinkedHashMap<>();
        List<Path> all = refused();
        for (Path why : all.subList(Math.min(known, all.size()), all.size())) {
            Path request = why.resolveSibling(why.getFileName().toString().replaceFirst("\\.txt$", ""));
            if (Files.exists(request)
                    && ControlRequestCodec.read(Files.readAllBytes(request)) instanceof ControlRequest.Submit submit) {
                String reason = Files.readString(why).strip();
                for (int task = 0; task < submit.tasks().size(); task++) {
                    reasons.put(submit.tasks().id(task), reason);
                }
            }
        }
        return reasons;
    }

    /** The files with the reasons of refusals, ordered by name. */
    public List<Path> refused() throws IOException {
        Path refused = folder.resolve("refused");
        String[] all = refused.toFile().list((f, name) -> name.endsWith(".txt"));
        return Arrays.stream(all == null ? new String[0] : all)
                .sorted()
                .map(refused::resolve)
                .toList();
    }
}
