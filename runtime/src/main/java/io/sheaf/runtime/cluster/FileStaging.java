package io.sheaf.runtime.cluster;

import io.sheaf.agent.Trees;
import io.sheaf.agent.link.DaemonThread;
import io.sheaf.agent.link.Endpoint;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.manager.Event;
import io.sheaf.runtime.spec.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * The files of a site that shares no file system with the manager. A file of this machine has the same path there, below the site's
 * folder. The site's commands transfer files; the manager's machine has the result of each task before the task counts as completed.
 *
 * <p>Files that are there are recorded in the run's folder with their size and time, so that a resumed run does not copy them again.
 * Transfers block; {@link #background} runs them in some threads. Thread-safe.
 */
public final class FileStaging implements AutoCloseable {
    /** Runs a command that must succeed. */
    public interface Commands {
        void run(List<String> words) throws IOException, InterruptedException;
    }

    private static final int MAX_FILES = 200;

    private static final int TRIES = 3;
    private static final int PAUSE_MILLIS = 500;
    private static final int THREADS = 4;
    private static final double MEGA = 1e6;

    /** All node pools of the site, whatever their numbers. */
    private static final int ALL_POOLS = Integer.MAX_VALUE;

    private final Site.Staging site;
    private final RunFolder run;
    private final Path own;
    private final Path marks;
    private final Commands local;
    private final Commands remote;
    private final Map<Path, String> copied = new HashMap<>();
    private final Set<Path> moving = new HashSet<>();
    private final Set<String> folders = new HashSet<>();
    private final ExecutorService threads;
    private final long interval;
    private volatile boolean polling;
    private long pollAt;

    /** Held while an address is copied; other methods do not wait for it. */
    private final Object announcing = new Object();

    /** The address that the site has; guarded by {@link #announcing}. */
    private String endpoint = "";

    private long bytes;
    private long nanos;
    private final List<Event.Placed> placed = new ArrayList<>();

    /**
     * The files of a run at a site.
     *
     * @param own the folder of what the manager keeps for the site
     * @param marks the folder of the pilot jobs' folders
     * @param local runs commands on this machine
     * @param remote runs commands at the site
     * @param interval how old the marks of pilot jobs may be, in milliseconds
     */
    public FileStaging(
            Site.Staging site, RunFolder run, Path own, Path marks, Commands local, Commands remote, long interval)
            throws IOException {
        this.site = site;
        this.run = run;
        this.own = own;
        this.marks = marks;
        this.local = local;
        this.remote = remote;
        this.interval = interval;
        threads = Executors.newFixedThreadPool(THREADS, DaemonThread.named("file transfer"));
        for (String line : RunFolder.lines(record())) {
            String[] words = line.split(" ", 3);
            if (words.length == 3) {
                copied.put(Path.of(words[2]), words[0] + " " + words[1]);
            }
        }
    }

    private Path record() {
        return own.resolve("copied");
    }

    /** The path at the site of a file of this machine. */
    public Path remotePath(Path file) {
        return Path.of(site.folder() + file.toAbsolutePath().normalize());
    }

    /** Runs transfers in another thread. */
    public void background(Runnable transfers) {
        try {
            threads.execute(transfers);
        } catch (RejectedExecutionException e) {
            // The process is ending; the next manager repeats them.
        }
    }

    /** Copies what agents need: their program, the run's key, the manager's address. */
    public void prepare(Path program) throws IOException, InterruptedException {
        Endpoint address = Endpoint.read(run.endpoint());
        if (address == null) {
            throw new IOException("the manager does not listen yet");
        }
        if (address.port() == 0 && site.address().isEmpty()) {
            throw new IOException(
                    "agents of a site with its own files need a port of the manager; remove --listen files");
        }
        makeFolders(Set.of(
                remotePath(run.agents()).toString(),
                remotePath(run.path().resolve("logs")).toString()));
        copy(List.of(program, run.credentials()));
        announce(address);
    }

    private void announce(Endpoint address) throws IOException, InterruptedException {
        int colon = site.address().lastIndexOf(':');
        Endpoint published = colon < 0
                ? address
                : new Endpoint(
                        address.epoch(),
                        address.host(),
                        address.pid(),
                        Integer.parseInt(site.address().substring(colon + 1)),
                        List.of(site.address().substring(0, colon)));
        synchronized (announcing) {
            if (!published.toString().equals(endpoint)) {
                Path file = own.resolve(run.endpoint().getFileName());
                Files.createDirectories(own);
                published.write(file);
                transfer(site.copy(), List.of(file), remotePath(run.path()), local);
                endpoint = published.toString();
            }
        }
    }

    /**
     * Copies the manager's new address, and fetches the marks of pilot jobs; both in the background.
     *
     * @param running whether a pilot job may have left a mark
     */
    public void turn(long now, boolean running) {
        if (running && !polling && now >= pollAt) {
            polling = true;
            pollAt = now + interval;
            background(() -> {
                try {
                    Endpoint address = Endpoint.read(run.endpoint());
                    if (address != null) {
                        announce(address);
                    }
                    transfer(site.fetch(), List.of(remotePath(marks)), marks.resolveSibling(""), local);
                } catch (IOException e) {
                    // The batch system reports this later.
                    return;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    polling = false;
                }
            });
        }
    }

    // --- transfers ---

    /** Copies files and folders that are not there as they are. */
    public void copy(Collection<Path> files) throws IOException, InterruptedException {
        Map<Path, String> unnamed = new TreeMap<>();
        files.forEach(file -> unnamed.put(file.toAbsolutePath().normalize(), ""));
        copy(unnamed);
    }

    /** Copies the inputs of a task, by their names in a folder, that are not there as they are. */
    public void copy(Path folder, List<String> inputs) throws IOException, InterruptedException {
        Map<Path, String> named = new TreeMap<>();
        inputs.forEach(name -> named.put(folder.resolve(name).toAbsolutePath().normalize(), name));
        copy(named);
    }

    private void copy(Map<Path, String> names) throws IOException, InterruptedException {
        Map<Path, String> selected = new TreeMap<>();
        for (Path file : names.keySet()) {
            selected.put(file, mark(file));
        }
        Map<Path, String> claimed = claim(selected, true);
        try {
            long begin = System.nanoTime();
            for (List<Path> each : together(claimed.keySet())) {
                Path folder = remotePath(each.get(0)).resolveSibling("");
                makeFolders(Set.of(folder.toString()));
                transfer(site.copy(), each, folder, local);
            }
            recordCopied(claimed);
            measured(claimed, names, System.nanoTime() - begin);
        } finally {
            release(claimed.keySet());
        }
    }

    /** Fetches files and folders; each replaces the one here when it is complete. */
    public void fetch(Collection<Path> files) throws IOException, InterruptedException {
        Map<Path, String> selected = new TreeMap<>();
        files.forEach(file -> selected.put(file.toAbsolutePath().normalize(), ""));
        Map<Path, String> claimed = claim(selected, false);
        try {
            for (List<Path> each : together(claimed.keySet())) {
                Path folder = each.get(0).resolveSibling("");
                Path part = folder.resolve(".sheaf-" + each.get(0).getFileName());
                Trees.delete(part);
                Files.createDirectories(part);
                transfer(site.fetch(), each.stream().map(this::remotePath).toList(), part, local);
                for (Path file : each) {
                    Trees.delete(file);
                    Files.move(
                            part.resolve(file.getFileName()),
                            file,
                            StandardCopyOption.ATOMIC_MOVE,
                            StandardCopyOption.REPLACE_EXISTING);
                    claimed.put(file, mark(file));
                }
                Trees.delete(part);
            }
            recordCopied(claimed);
        } finally {
            release(claimed.keySet());
        }
    }

    /** Waits until no other thread transfers the files, and returns those that are to be transferred. */
    private synchronized Map<Path, String> claim(Map<Path, String> selected, boolean onlyChanged)
            throws InterruptedException {
        while (selected.keySet().stream().anyMatch(moving::contains)) {
            wait();
        }
        Map<Path, String> claimed = new TreeMap<>(selected);
        if (onlyChanged) {
            claimed.entrySet().removeIf(file -> file.getValue().equals(copied.get(file.getKey())));
        }
        moving.addAll(claimed.keySet());
        return claimed;
    }

    private synchronized void release(Set<Path> files) {
        moving.removeAll(files);
        notifyAll();
    }

    private synchronized void recordCopied(Map<Path, String> files) throws IOException {
        List<String> lines = new ArrayList<>();
        files.forEach((file, mark) -> lines.add(mark + " " + file));
        copied.putAll(files);
        Files.createDirectories(own);
        Files.write(record(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Size and time of a file, or the time of a folder. */
    private static String mark(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return (attributes.isDirectory() ? 0 : attributes.size()) + " "
                + attributes.lastModifiedTime().toMillis();
    }

    /** Files of one folder, and not too many, in a list each. */
    private static List<List<Path>> together(Collection<Path> files) {
        Map<Path, List<Path>> byFolder = new TreeMap<>();
        files.forEach(file -> byFolder.computeIfAbsent(file.resolveSibling(""), folder -> new ArrayList<>())
                .add(file));
        List<List<Path>> lists = new ArrayList<>();
        for (List<Path> all : byFolder.values()) {
            for (int i = 0; i < all.size(); i += MAX_FILES) {
                lists.add(all.subList(i, Math.min(all.size(), i + MAX_FILES)));
            }
        }
        return lists;
    }

    /** Makes folders at the site that are not known to be there. */
    public void makeFolders(Set<String> names) throws IOException, InterruptedException {
        Set<String> missing = new LinkedHashSet<>(names);
        synchronized (this) {
            missing.removeAll(folders);
        }
        if (!missing.isEmpty()) {
            List<String> words = new ArrayList<>(List.of("mkdir", "-p"));
            words.addAll(missing);
            remote.run(words);
            synchronized (this) {
                folders.addAll(missing);
            }
        }
    }

    /** Runs a command of the site: each word with {from} stands for one with each file, and {to} is the folder that receives them. */
    private static void transfer(List<String> command, List<Path> files, Path to, Commands commands)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        for (String word : command) {
            if (word.contains(Site.Staging.FROM)) {
                files.forEach(file -> words.add(word.replace(Site.Staging.FROM, file.toString())));
            } else {
                words.add(word.replace(Site.Staging.TO, to.toString()));
            }
        }
        for (int tried = 1; ; tried++) {
            try {
                commands.run(words);
                return;
            } catch (IOException e) {
                if (tried == TRIES) {
                    throw e;
                }
            }
            Thread.sleep((long) PAUSE_MILLIS << tried);
        }
    }

    // --- measurements ---

    private synchronized void measured(Map<Path, String> marks, Map<Path, String> names, long duration) {
        if (!marks.isEmpty()) {
            List<String> files = new ArrayList<>();
            List<Long> sizes = new ArrayList<>();
            marks.forEach((file, mark) -> {
                files.add(names.getOrDefault(file, ""));
                sizes.add(Long.parseLong(mark.split(" ", 2)[0]));
            });
            long size = sizes.stream().mapToLong(Long::longValue).sum();
            bytes += size;
            nanos += size == 0 ? 0 : duration;
            placed.add(new Event.Placed(0, 0, ALL_POOLS, files, sizes, duration / 1000));
        }
    }

    /** A task has written these files at the site. */
    public synchronized void written(List<String> names, List<Long> sizes) {
        placed.add(new Event.Placed(0, 0, ALL_POOLS, names, sizes, Event.Placed.WRITTEN));
    }

    /** The files copied to the site since the last call. */
    public synchronized List<Event> placed(long now) {
        List<Event> all = new ArrayList<>();
        placed.forEach(each ->
                all.add(new Event.Placed(now, each.first(), each.count(), each.files(), each.bytes(), each.micros())));
        placed.clear();
        return all;
    }

    /** What was copied, for users; empty if nothing was. */
    public synchronized String summary() {
        return bytes == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%.1f MB copied to the site at %.1f MB/s",
                        bytes / MEGA,
                        bytes / MEGA / Math.max(1e-9, nanos / 1e9));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
