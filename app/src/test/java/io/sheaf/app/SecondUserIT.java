package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another user of the machine, a real account, against a run and a service whose folders are in a place that all users can read. */
@Timeout(1200)
class SecondUserIT {
    private static final String USER = "sheaf-t" + ProcessHandle.current().pid() % 100_000;
    private static final Pattern TOKEN = Pattern.compile("token=([0-9a-f]{64})");

    @TempDir
    Path cache = Path.of("");

    private Path folder = Path.of("");
    private final List<Process> started = new ArrayList<>();
    private boolean made;

    @BeforeEach
    void makeUser() throws IOException, InterruptedException {
        assumeTrue("root".equals(System.getProperty("user.name")), "skipped: only root can make a second user");
        // Below the tests' own temporary folders, which are private, another user sees nothing at all.
        folder = Files.createTempDirectory(Path.of("/tmp"), "sheaf-second-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Finished user = root("useradd", "--no-create-home", "--home-dir", "/nonexistent", USER);
        assumeTrue(user.status() == 0, "skipped: useradd failed: " + user.err());
        made = true;
    }

    @AfterEach
    void removeUser() throws IOException, InterruptedException {
        for (Process each : started) {
            each.destroy();
            each.waitFor();
        }
        if (made) {
            root("userdel", USER);
        }
        if (folder.isAbsolute()) {
            root("rm", "-rf", folder.toString());
        }
    }

    private static Finished root(String... words) throws IOException, InterruptedException {
        return Finished.run(Path.of("/"), Map.of(), 60, List.of(words));
    }

    /** What the other user gets by a shell command. */
    private Finished other(String command) throws IOException, InterruptedException {
        return Finished.run(
                Path.of("/"), Map.of(), 60, List.of("runuser", "-u", USER, "--", "/bin/bash", "-c", command));
    }

    private Process sheaf(String out, String... words) throws IOException {
        // An ordinary umask: what is private is so by itself.
        List<String> line =
                new ArrayList<>(List.of("/bin/bash", "-c", "umask 022; exec \"$@\"", "bash", RealRun.BUILT.toString()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(out).toFile());
        Map<String, String> variables = new HashMap<>(Map.of("SHEAF_CACHE", cache.toString()));
        variables.put("SHEAF_STATE", folder.resolve("state").toString());
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private String printed(String out, Pattern pattern) throws IOException, InterruptedException {
        return Await.found(() -> pattern + " in " + Files.readString(folder.resolve(out)), () -> {
            Matcher found = pattern.matcher(Files.readString(folder.resolve(out)));
            return found.find() ? found.group(1) : null;
        });
    }

    @Test
    void seesAndChangesNothingOfARunAndAService() throws Exception {
        Files.writeString(
                folder.resolve("w.yaml"),
                "tasks: {a: {run: 'echo a-secret-of-the-task; touch begun; sleep 100', env: {KEY: a-secret-value}}}\n");
        sheaf("run.txt", "run", "w.yaml", "--run-dir", "run", "--nodes", "1", "--dashboard");
        sheaf("serve.txt", "serve", "--state", "service", "--nodes", "1");
        List<String> secrets = new ArrayList<>(List.of(printed("run.txt", TOKEN), printed("serve.txt", TOKEN)));
        assertThat(secrets.get(0)).isNotEqualTo(secrets.get(1));
        Await.until("the task runs", () -> Files.exists(folder.resolve("begun")));

        for (String place : List.of("run", "service")) {
            Path all = folder.resolve(place);
            assertThat(other("ls " + all).status()).as("lists " + all).isNotZero();
            assertThat(other("touch " + all + "/x; mkdir -p " + all + "/inbox && touch " + all + "/inbox/1.wish")
                            .status())
                    .isNotZero();
            try (Stream<Path> files = Files.walk(all)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(other("cat '" + file + "'").status())
                            .as("reads " + file)
                            .isNotZero();
                }
            }
            assertThat(other("echo x > " + all + "/journal/000001.log").status())
                    .isNotZero();
        }
        pagesAreClosed();
        agentsPortIsClosed();
        theProcessesTellNoSecret(secrets);
        assertThat(started).allMatch(Process::isAlive);
    }

    private void pagesAreClosed() throws IOException, InterruptedException {
        for (String out : List.of("run.txt", "serve.txt")) {
            String address = printed(out, Pattern.compile("(http://127\\.0\\.0\\.1:[0-9]+)/"));
            for (String path : List.of("/", "/api/runs", "/api/workflows", "/?token=0")) {
                Finished result =
                        other("exec 3<>/dev/tcp/" + address.substring(7).replace(':', '/')
                                + "; printf 'GET " + path
                                + " HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3");
                assertThat(result.out())
                        .as(out + path)
                        .startsWith("HTTP/1.1 401 ")
                        .doesNotContain("a-secret");
            }
        }
    }

    /** The port of the agents is open to all who can connect; without the key of the run nothing is answered there. */
    private void agentsPortIsClosed() throws IOException, InterruptedException {
        String port = Stream.of(Files.readString(folder.resolve("run/endpoint")).split("\\s+"))
                .filter(word -> word.matches("[0-9]{4,5}"))
                .reduce((a, b) -> b)
                .orElse("0");
        Finished result =
                other("exec 3<>/dev/tcp/127.0.0.1/" + port + " && head -c 2000 /dev/urandom >&3; timeout 30 cat <&3");
        assertThat(result.out().length()).as("at most an alert of TLS").isLessThan(100);
    }

    /** Arguments are readable by all users, the environment by the owner and by what a task runs. */
    private void theProcessesTellNoSecret(List<String> secrets) throws IOException, InterruptedException {
        String arguments = other("cat /proc/[0-9]*/cmdline | tr '\\0' ' '").out();
        assertThat(arguments).contains("io.sheaf.agent.AgentMain");
        assertThat(arguments).doesNotContain(secrets.get(0), secrets.get(1), "a-secret-value");
        for (Process each : started) {
            assertThat(other("cat /proc/" + each.pid() + "/environ").status())
                    .as("reads the environment of another user's process")
                    .isNotZero();
        }
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(each -> each.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                String environment = environment(process);
                if (environment.contains(folder.toString())) {
                    assertThat(environment).doesNotContain(secrets.get(0), secrets.get(1));
                }
            }
        }
    }

    private static String environment(Path process) {
        try {
            return new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended.
            return "";
        }
    }
}
