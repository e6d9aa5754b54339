package io.sheaf.agent;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.agent.protocol.Message.Start;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Long-running programs that fork a process for each attempt, so that an attempt does not wait for its interpreter to start.
 *
 * <p>A command {@code sheaf-fork PROGRAM … ARGUMENT} requests it. The server is {@code PROGRAM … --fork-server}. It reads a line per attempt, with
 * zero bytes between the file of the standard output, that of the standard error, the argument and variables. It answers {@code pid N} and {@code
 * end STATUS}. The variable {@code SHEAF_EXITS} names a file to which the forked process adds its {@link ExitRecords line}. A server runs one attempt at a time; an idle one serves later attempts with the same words, folder and variables. Where a server
 * cannot be used, {@code PROGRAM … ARGUMENT} is started.
 *
 * <p>Called by one thread; a thread per server reads its answers.
 */
final class ForkServers {
    /** The first word of a command that may be run by a server. */
    static final String WORD = "sheaf-fork";

    /** The end of a server's mark, in place of an attempt. */
    static final String SERVER = "fork-server";

    private static final List<String> OF_AN_ATTEMPT = List.of("SHEAF_TASK", "SHEAF_ATTEMPT", TaskCommand.MARK);
    private static final int KILLED = 137;

    private final String mark;
    private final int limit;
    private final Path agentFolder;
    private final Map<List<String>, Deque<Server>> idle = new HashMap<>();
    /** The attempts of forked processes, whose environment is the server's. */
    private final Map<Integer, String> forked = new ConcurrentHashMap<>();

    private int servers;

    /**
     * No server yet.
     *
     * @param mark what the marks of this agent's attempts begin with
     * @param limit the maximum number of servers
     * @param agentFolder where exits are recorded
     */
    ForkServers(String mark, int limit, Path agentFolder) {
        this.agentFolder = agentFolder;
        this.mark = mark + SERVER;
        this.limit = limit;
    }

    /** The attempts of live forked processes, by process id. */
    Map<Integer, String> forked() {
        return forked;
    }

    /** The program and arguments of a command, without the request for a server. */
    static List<String> plain(List<String> argv) {
        return argv.size() > 2 && argv.get(0).equals(WORD) ? argv.subList(1, argv.size()) : argv;
    }

    /**
     * Starts the process of an attempt as the builder describes it, or lets a server fork it.
     *
     * @param words the program and its arguments, which the builder may start by another program
     */
    Process start(Start start, List<String> words, ProcessBuilder builder, Path out, Path err) throws IOException {
        List<String> request = new ArrayList<>(List.of(out.toString(), err.toString(), words.get(words.size() - 1)));
        Map<String, String> environment = new HashMap<>(builder.environment());
        for (String name : OF_AN_ATTEMPT) {
            request.add(name + "=" + environment.remove(name));
        }
        request.add(ExitRecords.variable(agentFolder, start.attempt(), System.currentTimeMillis()));
        boolean clean = request.stream().allMatch(text -> text.indexOf('\n') < 0 && text.indexOf(0) < 0);
        if (plain(start.work().argv()).equals(start.work().argv())
                || !start.work().setup().isEmpty()
                || !start.work().container().isEmpty()
                || !start.needs().nodes().isEmpty()
                || out.equals(err)
                || !clean) {
            return builder.start();
        }
        List<String> key = new ArrayList<>(words.subList(0, words.size() - 1));
        key.add(String.valueOf(builder.directory()));
        key.add(environment.entrySet().stream().map(Object::toString).sorted().collect(Collectors.joining("\n")));
        Server server = acquire(key);
        if (server == null) {
            if (servers >= limit) {
                return builder.start();
            }
            server = open(key, words, builder, err);
        }
        return server.fork(start.attempt().toString(), request);
    }

    private synchronized @Nullable Server acquire(List<String> key) {
        Deque<Server> free = idle.getOrDefault(key, new ArrayDeque<>());
        Server server = free.pollLast();
        while (server != null && (server.ended || !server.process.isAlive())) {
            server = free.pollLast();
        }
        return server;
    }

    private synchronized void release(Server server) {
        idle.computeIfAbsent(server.key, key -> new ArrayDeque<>()).addLast(server);
    }

    private synchronized void remove(Server server) {
        servers--;
        idle.getOrDefault(server.key, new ArrayDeque<>()).remove(server);
    }

    private Server open(List<String> key, List<String> command, ProcessBuilder template, Path err) throws IOException {
        List<String> words = new ArrayList<>(command);
        words.set(words.size() - 1, "--fork-server");
        // Why a server does not start is in the error output of its first attempt.
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(template.directory())
                .redirectError(Redirect.appendTo(err.toFile()));
        builder.environment().clear();
        builder.environment().putAll(template.environment());
        OF_AN_ATTEMPT.forEach(builder.environment()::remove);
        builder.environment().put(TaskCommand.MARK, mark);
        Server server = new Server(key, builder.start());
        synchronized (this) {
            servers++;
        }
        server.reader.start();
        return server;
    }

    /** A program that forks. */
    private final class Server {
        private final List<String> key;
        private final Process process;
        private final Thread reader = DaemonThread.of(SERVER, this::read);
        private @Nullable Forked current;
        /** Whether its output has ended; an attempt that begins later gets no answer. */
        private volatile boolean ended;

        Server(List<String> key, Process process) {
            this.key = key;
            this.process = process;
        }

        Process fork(String attempt, List<String> request) {
            Forked made = new Forked(attempt, process);
            synchronized (this) {
                current = made;
            }
            try {
                OutputStream out = process.getOutputStream();
                out.write((String.join("\0", request) + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            } catch (IOException e) {
                // It has ended; so the reader ends, and with it the attempt.
                process.destroyForcibly();
            }
            if (ended || !process.isAlive()) {
                lose();
            }
            return made;
        }

        private void read() {
            try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    answered(line);
                }
            } catch (IOException e) {
                process.destroyForcibly();
            }
            ended = true;
            remove(this);
            lose();
        }

        private void answered(String line) {
            int number = Integer.parseInt(line.substring(line.indexOf(' ') + 1));
            Forked forking;
            synchronized (this) {
                forking = current;
                current = line.startsWith("end") ? null : forking;
            }
            if (forking == null) {
                return;
            }
            if (line.startsWith("pid")) {
                forking.pid = number;
                forked.put(number, forking.attempt);
            } else {
                forked.remove((int) forking.pid);
                release(this);
                forking.end(number);
            }
        }

        /** Ends the attempt of a server that has ended. */
        private void lose() {
            Forked lost;
            synchronized (this) {
                lost = current;
                current = null;
            }
            if (lost != null) {
                lost.destroyForcibly();
                forked.remove((int) lost.pid);
                lost.end(KILLED);
            }
        }
    }

    /** A forked process; its id is the server's until the server reports it. */
    private static final class Forked extends Process {
        private final String attempt;
        private final Process server;
        private final CompletableFuture<Integer> status = new CompletableFuture<>();
        private volatile long pid;

        Forked(String attempt, Process server) {
            this.attempt = attempt;
            this.server = server;
            pid = server.pid();
        }

        void end(int exitStatus) {
            status.complete(exitStatus);
        }

        @Override
        public long pid() {
            return pid;
        }

        @Override
        public CompletableFuture<Process> onExit() {
            return status.thenApply(exitStatus -> this);
        }

        @Override
        public int waitFor() throws InterruptedException {
            try {
                return status.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public int exitValue() {
            if (!status.isDone()) {
                throw new IllegalThreadStateException("it has not ended");
            }
            return status.join();
        }

        @Override
        public void destroy() {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
        }

        @Override
        public Process destroyForcibly() {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            return this;
        }

        @Override
        public OutputStream getOutputStream() {
            return server.getOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }
    }
}
