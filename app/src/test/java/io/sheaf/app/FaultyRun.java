package io.sheaf.app;

import io.sheaf.app.FaultSchedule.Fault;
import io.sheaf.app.FaultSchedule.Kind;
import io.sheaf.testing.Finished;
import io.sheaf.testing.RealSlurm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run in a folder of its own into which the faults of a schedule are injected. Then the ledger of the tasks, the
 * journal, the queue and the live processes are compared with the guarantees.
 */
final class FaultyRun implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 600;
    private static final int LEFT_SECONDS = 60;
    private static final int TARGET_SECONDS = 10;
    private static final int RESUMES = 8;
    private static final int MAX_JUMP_SECONDS = 7_200;
    private static final int INTERRUPTED = 5;
    private static final int BAD_INPUT = 3;
    private static final int UNREACHABLE = 4;

    private final FaultSchedule schedule;
    private final FaultSite site;
    private final Path folder;
    private final Path commands;
    /** The file with the offset of the clock; absent if the clock cannot be changed here. */
    private final Path clock;

    private final RealRun run;
    private final boolean mounted;
    private final List<String> violations = new ArrayList<>();
    private final Map<Kind, Integer> injected = new EnumMap<>(Kind.class);
    private @Nullable Process manager;
    /** Whether bytes of the journal were lost: an attempt whose start was lost may run beside its successor. */
    private boolean lossy;

    FaultyRun(FaultSchedule schedule, FaultSite site, Path folder, Path cache)
            throws IOException, InterruptedException {
        this.schedule = schedule;
        this.site = site;
        this.folder = folder;
        commands = Files.createDirectory(folder.resolve("bin"));
        Map<String, String> environment = new HashMap<>(site.environment());
        for (String command : site.commands()) {
            writeWrapper(command, environment.getOrDefault("PATH", System.getenv("PATH")));
        }
        environment.merge("PATH", System.getenv("PATH"), (own, other) -> own);
        environment.compute("PATH", (name, path) -> commands + ":" + path);
        Path faking = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");
        clock = folder.resolve("clock");
        if (schedule.has(Kind.CLOCK_JUMP) && site.setsClock() && Files.exists(faking)) {
            Files.writeString(clock, "+0\n");
            environment.put("LD_PRELOAD", faking.toString());
            environment.put("FAKETIME_TIMESTAMP_FILE", clock.toString());
            environment.put("FAKETIME_CACHE_DURATION", "1");
            // Only the time of day changes, because a monotonic clock never goes back.
            environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
            // Without this, every wait with a timeout ends at once.
            environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
        }
        run = new RealRun(folder, cache, environment);
        Path disk = Files.createDirectory(folder.resolve("run"));
        mounted = site.seesMounts()
                && succeeds("mount", "-t", "tmpfs", "-o", "size=24m,mode=700", "tmpfs", disk.toString());
        Files.writeString(folder.resolve("workflow.yaml"), """
                name: ledger
                vars: {c: 1..%d}
                defaults: {retries: 9, time: 2s}
                tasks:
                  first:
                    foreach: {i: c}
                    out: a-{i}.txt
                    run: |
                      echo begin $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
                      sleep 0.{i}
                      echo first {i} > {out}
                      echo end $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
                  second:
                    foreach: {i: c}
                    in: a-{i}.txt
                    out: b-{i}.txt
                    run: |
                      echo begin $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
                      sleep 0.{i}
                      { cat {in}; echo second {i}; } > {out}
                      echo end $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
                  last:
                    in: {from: second}
                    out: c.txt
                    run: |
                      echo begin $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
                      cat {in} > {out}
                      echo end $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
                """.formatted(schedule.width()));
    }

    /**
     * Writes a wrapper of a command that injects the fault of a file into its next calls, and otherwise runs the real
     * command.
     */
    private void writeWrapper(String command, String path) throws IOException {
        Path real = Stream.of(path.split(":"))
                .map(place -> Path.of(place, command))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
        Path wrapper = Files.writeString(
                commands.resolve(command), """
                #!/bin/bash
                fault='%1$s.fault'
                if read -r what left 2> /dev/null < "$fault"; then
                  if [ "$left" -gt 1 ]; then echo "$what $((left - 1))" > "$fault"; else rm -f "$fault"; fi
                  case $what in
                    LOST_REPLY) '%2$s' "$@" > /dev/null 2>&1; echo '%3$s' >&2; exit 1 ;;
                    NO_ANSWER) echo '%3$s' >&2; exit 1 ;;
                    LATE_REPLY) sleep 8 ;;
                    GARBAGE) head -c 700 /dev/urandom; exit 0 ;;
                  esac
                fi
                exec '%2$s' "$@"
                """.formatted(commands.resolve(command), real, site.unreachableMessage()));
        if (!wrapper.toFile().setExecutable(true)) {
            throw new IOException("not executable: " + wrapper);
        }
    }

    /** Runs the schedule and returns the violated guarantees. */
    List<String> execute() throws IOException, InterruptedException {
        manager = run.start(site.options(schedule.strategy()).toArray(String[]::new));
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        // Most schedules begin when the run exists, some during its creation.
        while (schedule.seed() % 4 != 0 && !run.exists() && System.nanoTime() - until < 0) {
            Thread.sleep(20);
        }
        for (Fault fault : schedule.faults()) {
            currentManager().waitFor(fault.afterMillis(), TimeUnit.MILLISECONDS);
            if (!isManaged()) {
                break;
            }
            apply(fault);
        }
        site.commands()
                .forEach(
                        command -> commands.resolve(command + ".fault").toFile().delete());
        finish();
        if (violations.isEmpty()) {
            check();
        }
        return violations;
    }

    /** The number of injected faults of each kind. */
    Map<Kind, Integer> injected() {
        return injected;
    }

    /** The number of tasks that ended more than once. */
    long repeatedTasks() throws IOException {
        Map<String, Integer> ends = new HashMap<>();
        for (String line : run.lines("ledger")) {
            if (line.startsWith("end ")) {
                ends.merge(line.split(" ")[1], 1, Integer::sum);
            }
        }
        return ends.values().stream().filter(times -> times > 1).count();
    }

    private Process currentManager() {
        return Objects.requireNonNull(manager);
    }

    private RealSlurm slurm() {
        return Objects.requireNonNull(site.slurm());
    }

    /** Whether the run continues; starts a manager if it has none. */
    private boolean isManaged() throws IOException {
        if (currentManager().isAlive()) {
            return true;
        }
        int status = currentManager().exitValue();
        boolean killed = status > 128;
        // A run that could not be created is created again.
        boolean absent = status == BAD_INPUT && !run.exists();
        // A manager that starts while the batch system is unreachable ends; the run can be resumed.
        boolean unreachable = status == UNREACHABLE && !site.commands().isEmpty();
        if (status != INTERRUPTED && !killed && !absent && !unreachable) {
            if (status != 0) {
                violations.add("the manager ended with status " + status + ": " + run.errorOutput());
            }
            return false;
        }
        restart();
        return true;
    }

    private void restart() throws IOException {
        manager = run.exists()
                ? run.resume()
                : run.start(site.options(schedule.strategy()).toArray(String[]::new));
    }

    private void finish() throws IOException, InterruptedException {
        for (int i = 0; i < RESUMES && isManaged(); i++) {
            if (!currentManager().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                violations.add("the run does not end within " + TIMEOUT_SECONDS + " s: " + run.errorOutput());
                return;
            }
        }
        if (currentManager().isAlive() || currentManager().exitValue() != 0) {
            violations.add("the run is not done after " + RESUMES + " managers: " + run.errorOutput());
        }
    }

    // --- faults ---

    private void apply(Fault fault) throws IOException, InterruptedException {
        if (inject(fault)) {
            injected.merge(fault.kind(), 1, Integer::sum);
        }
    }

    /** Injects a fault; returns whether that was possible. */
    private boolean inject(Fault fault) throws IOException, InterruptedException {
        return switch (fault.kind()) {
            case KILL_MANAGER -> kill(fault.millis() / 4);
            case INTERRUPT_MANAGER -> {
                currentManager().destroy();
                yield currentManager().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            }
            case KILL_AGENT -> applyToOne(run::agents, fault, ProcessHandle::destroyForcibly);
            case KILL_TASK -> applyToOne(this::tasks, fault, ProcessHandle::destroyForcibly);
            case KILL_ALL -> {
                kill(0);
                run.processes().forEach(ProcessHandle::destroyForcibly);
                yield true;
            }
            case PAUSE_MANAGER -> pause(currentManager().toHandle(), fault.millis());
            case PAUSE_AGENT -> applyToOne(run::agents, fault, agent -> pause(agent, fault.millis()));
            case TAKE_OVER -> run.exists() && takeOver(fault);
            case FULL_DISK -> mounted && fillDisk(fault.millis());
            case READ_ONLY -> mounted && makeReadOnly(fault.millis());
            case LOST_BYTES -> run.exists() && loseBytes(fault);
            case FLIPPED_BYTE -> run.exists() && flipByte(fault);
            case CLOCK_JUMP -> {
                int seconds = fault.draw() % (2 * MAX_JUMP_SECONDS) - MAX_JUMP_SECONDS;
                boolean fakes = Files.exists(clock);
                if (fakes) {
                    Files.writeString(clock, (seconds < 0 ? "" : "+") + seconds + "\n");
                }
                yield fakes;
            }
            case LOST_REPLY, NO_ANSWER, LATE_REPLY ->
                failCommand(
                        fault,
                        site.commands().get(fault.draw() % site.commands().size()));
            case GARBAGE -> failCommand(fault, site.commands().get(1));
            case CANCELLED_JOB ->
                applyToOne(site::jobs, fault, job -> {
                    site.cancel(job);
                    return true;
                });
            case CONTROLLER_DOWN -> {
                slurm().stopController();
                Thread.sleep(fault.millis());
                slurm().startController();
                yield true;
            }
            case NODE_DOWN -> {
                int node = 1 + fault.draw() % FaultSite.NODES;
                slurm().killNode(node);
                Thread.sleep(fault.millis());
                slurm().startNode(node);
                yield true;
            }
        };
    }

    /** A fault of one target. */
    private interface Action<T> {
        boolean apply(T target) throws IOException, InterruptedException;
    }

    /** The possible targets of a fault. */
    private interface Targets<T> {
        List<T> all() throws IOException;
    }

    /** Applies a fault to one target; waits a while until there is one. */
    private <T> boolean applyToOne(Targets<T> targets, Fault fault, Action<T> action)
            throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TARGET_SECONDS);
        List<T> all = targets.all();
        while (all.isEmpty() && currentManager().isAlive() && System.nanoTime() - until < 0) {
            Thread.sleep(50);
            all = targets.all();
        }
        return !all.isEmpty() && action.apply(all.get(fault.draw() % all.size()));
    }

    private List<ProcessHandle> tasks() throws IOException {
        List<ProcessHandle> all = new ArrayList<>(run.processes());
        all.removeAll(run.agents());
        return all;
    }

    private boolean kill(int pauseMillis) throws InterruptedException {
        currentManager().destroyForcibly().waitFor();
        Thread.sleep(pauseMillis);
        return true;
    }

    private boolean pause(ProcessHandle process, int millis) throws IOException, InterruptedException {
        signal(process, "STOP");
        Thread.sleep(millis);
        signal(process, "CONT");
        return true;
    }

    private void signal(ProcessHandle process, String signal) throws IOException, InterruptedException {
        succeeds("kill", "-" + signal, String.valueOf(process.pid()));
    }

    private boolean takeOver(Fault fault) throws IOException, InterruptedException {
        Process old = currentManager();
        signal(old.toHandle(), "STOP");
        manager = run.sheaf("resume", "run", "--take-over");
        Thread.sleep(fault.millis());
        signal(old.toHandle(), "CONT");
        if (!old.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            violations.add("a manager does not notice that another one took over: " + run.errorOutput());
            old.destroyForcibly().waitFor();
        }
        return true;
    }

    private boolean fillDisk(int millis) throws IOException, InterruptedException {
        Path filler = folder.resolve("run/filler");
        try (OutputStream out = Files.newOutputStream(filler)) {
            byte[] block = new byte[1 << 12];
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            // The disk is full.
            Thread.sleep(millis);
        }
        Files.deleteIfExists(filler);
        return true;
    }

    private boolean makeReadOnly(int millis) throws IOException, InterruptedException {
        String place = folder.resolve("run").toString();
        if (!succeeds("mount", "--bind", place, place)) {
            return false;
        }
        succeeds("mount", "-o", "remount,ro,bind", place);
        Thread.sleep(millis);
        succeeds("umount", "-l", place);
        return true;
    }

    private boolean loseBytes(Fault fault) throws IOException, InterruptedException {
        kill(0);
        List<Path> journal = files("run/journal");
        if (journal.isEmpty()) {
            return false;
        }
        try (FileChannel file = FileChannel.open(journal.get(journal.size() - 1), StandardOpenOption.WRITE)) {
            int bytes = 8 + fault.draw() % 178;
            if (file.size() <= bytes) {
                return false;
            }
            file.truncate(file.size() - bytes);
        }
        lossy = true;
        return true;
    }

    /** A manager that starts must refuse the changed file, or not need it. */
    private boolean flipByte(Fault fault) throws IOException, InterruptedException {
        kill(0);
        List<Path> all = new ArrayList<>(files("run/journal"));
        all.addAll(files("run/cluster"));
        all.add(folder.resolve("run/run.json"));
        all.add(folder.resolve("run/workflow.json"));
        Path file = all.get(fault.draw() % all.size());
        long size = Files.size(file);
        if (size == 0) {
            return false;
        }
        long at = fault.draw() % size;
        flip(file, at, 1 << fault.draw() % 8);
        Process next = run.resume();
        if (!next.waitFor(fault.millis() + 2_000L, TimeUnit.MILLISECONDS)) {
            next.destroyForcibly().waitFor();
        } else if (next.exitValue() != BAD_INPUT
                && next.exitValue() != 0
                && next.exitValue() != INTERRUPTED
                && next.exitValue() != UNREACHABLE) {
            violations.add("byte " + at + " of " + file + " was changed: status " + next.exitValue() + ": "
                    + run.errorOutput());
        }
        manager = next;
        if (Files.size(file) < size) {
            // The byte was at the end of the journal, and a manager removes an incomplete end.
            lossy = true;
        } else {
            flip(file, at, 1 << fault.draw() % 8);
        }
        if (next.exitValue() == BAD_INPUT) {
            restart();
        }
        return true;
    }

    private static void flip(Path file, long at, int bit) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ bit)).rewind();
            channel.write(one, at);
        }
    }

    private List<Path> files(String in) throws IOException {
        Path place = folder.resolve(in);
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(place)) {
            return all.filter(file -> file.toString().endsWith(".log")).sorted().toList();
        }
    }

    private boolean failCommand(Fault fault, String command) throws IOException {
        Files.writeString(commands.resolve(command + ".fault"), fault.kind() + " " + (1 + fault.draw() / 8 % 3) + "\n");
        return true;
    }

    private boolean succeeds(String... words) throws IOException, InterruptedException {
        return Finished.run(folder, Map.of(), 30, List.of(words)).status() == 0;
    }

    // --- guarantees ---

    private void check() throws IOException, InterruptedException {
        violations.addAll(new FaultCheck(run, schedule.width(), lossy).violations());
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LEFT_SECONDS);
        while (System.nanoTime() - until < 0
                && !(run.processes().isEmpty() && site.queue().isEmpty())) {
            Thread.sleep(200);
        }
        if (!run.processes().isEmpty()) {
            violations.add("processes are left: "
                    + run.processes().stream().map(ProcessHandle::info).toList());
        }
        if (!site.queue().isEmpty()) {
            violations.add("jobs are left: " + site.queue());
        }
    }

    /** Ends remaining processes and jobs of a failed run. */
    @Override
    public void close() throws IOException {
        if (manager != null) {
            manager.destroyForcibly().onExit().join();
        }
        run.processes().forEach(ProcessHandle::destroyForcibly);
        site.jobs().forEach(site::cancel);
        if (mounted) {
            try {
                succeeds("umount", "-l", folder.resolve("run").toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
