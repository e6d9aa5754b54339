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

/** Tests that another user of the machine, a real account, cannot read or change a run and a service. */
@Timeout(1200)
class SecondUserIT {
    private static final String USER = "sheaf-t" + ProcessHandle.current().pid() % 100_000;
    private static final Pattern TOKEN = Pattern.compile("token=([0-9a-f]{64})");

    @TempDir
    Path cache = Path.of("");

    private Path folder = Path.of("");
    private final List<Process> started = new ArrayList<>();
    private boolean userCreated;

    @BeforeEach
    void createUser() throws IOException, InterruptedException {
        assumeTrue("root".equals(System.getProperty("user.name")), "skipped: only root can create a second user");
        // Not below the tests' temporary folder, which is private: another user could read nothing there.
        folder = Files.createTempDirectory(Path.of("/tmp"), "sheaf-second-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Finished user = asRoot("useradd", "--no-create-home", "--home-dir", "/nonexistent", USER);
        assumeTrue(user.status() == 0, "skipped: useradd failed: " + user.err());
        userCreated = true;
    }

    @AfterEach
    void removeUser() throws IOException, InterruptedException {
        for (Process each : started) {
            each.destroy();
            each.waitFor();
        }
        if (userCreated) {
            asRoot("userdel", USER);
        }
        if (folder.isAbsolute()) {
            asRoot("rm", "-rf", folder.toString());
        }
    }

    private static Finished asRoot(String... words) throws IOException, InterruptedException {
        return Finished.run(Path.of("/"), Map.of(), 60, List.of(words));
    }

    /** Runs a shell command as the other user. */
    private Finished asOther(String command) throws IOException, InterruptedException {
        return Finished.run(
                Path.of("/"), Map.of(), 60, List.of("runuser", "-u", USER, "--", "/bin/bash", "-c", command));
    }

    private Process sheaf(String out, String... words) throws IOException {
        // An ordinary umask: files are private only if Sheaf makes them private.
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

    private String awaitMatch(String out, Pattern pattern) throws IOException, InterruptedException {
        return Await.found(() -> pattern + " in " + Files.readString(folder.resolve(out)), () -> {
            Matcher found = pattern.matcher(Files.readString(folder.resolve(out)));
            return found.find() ? found.group(1) : null;
        });
    }

    @Test
    void anotherUserCannotReadOrChangeARunOrService() throws Exception {
        Files.writeString(
                folder.resolve("w.yaml"),
                "tasks: {a: {run: 'echo a-secret-of-the-task; touch begun; sleep 100', env: {KEY: a-secret-value}}}\n");
        sheaf("run.txt", "run", "w.yaml", "--run-dir", "run", "--nodes", "1", "--dashboard");
        sheaf("serve.txt", "serve", "--state", "service", "--nodes", "1");
        List<String> secrets = new ArrayList<>(List.of(awaitMatch("run.txt", TOKEN), awaitMatch("serve.txt", TOKEN)));
        assertThat(secrets.get(0)).isNotEqualTo(secrets.get(1));
        Await.until("the task runs", () -> Files.exists(folder.resolve("begun")));

        for (String place : List.of("run", "service")) {
            Path all = folder.resolve(place);
            assertThat(asOther("ls " + all).status()).as("lists " + all).isNotZero();
            assertThat(asOther("touch " + all + "/x; mkdir -p " + all + "/inbox && touch " + all + "/inbox/1.request")
                            .status())
                    .isNotZero();
            try (Stream<Path> files = Files.walk(all)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(asOther("cat '" + file + "'").status())
                            .as("reads " + file)
                            .isNotZero();
                }
            }
            assertThat(asOther("echo x > " + all + "/journal/000001.log").status())
                    .isNotZero();
        }
        assertPagesRefuseAccess();
        assertAgentPortDoesNotAnswer();
        assertProcessesExposeNoSecret(secrets);
        assertThat(started).allMatch(Process::isAlive);
    }

    private void assertPagesRefuseAccess() throws IOException, InterruptedException {
        for (String out : List.of("run.txt", "serve.txt")) {
            String address = awaitMatch(out, Pattern.compile("(http://127\\.0\\.0\\.1:[0-9]+)/"));
            for (String path : List.of("/", "/api/runs", "/api/workflows", "/?token=0")) {
                Finished result =
                        asOther("exec 3<>/dev/tcp/" + address.substring(7).replace(':', '/')
                                + "; printf 'GET " + path
                                + " HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3");
                assertThat(result.out())
                        .as(out + path)
                        .startsWith("HTTP/1.1 401 ")
                        .doesNotContain("a-secret");
            }
        }
    }

    /** All users can connect to the agents' port, but it answers nothing without the key of the run. */
    private void assertAgentPortDoesNotAnswer() throws IOException, InterruptedException {
        String port = Stream.of(Files.readString(folder.resolve("run/endpoint")).split("\\s+"))
                .filter(word -> word.matches("[0-9]{4,5}"))
                .reduce((a, b) -> b)
                .orElse("0");
        Finished result =
                asOther("exec 3<>/dev/tcp/127.0.0.1/" + port + " && head -c 2000 /dev/urandom >&3; timeout 30 cat <&3");
        assertThat(result.out().length()).as("at most a TLS alert").isLessThan(100);
    }

    /** All users can read arguments; the owner and the processes of a task can read the environment. */
    private void assertProcessesExposeNoSecret(List<String> secrets) throws IOException, InterruptedException {
        String arguments = asOther("cat /proc/[0-9]*/cmdline | tr '\\0' ' '").out();
        assertThat(arguments).contains("io.sheaf.agent.AgentMain");
        assertThat(arguments).doesNotContain(secrets.get(0), secrets.get(1), "a-secret-value");
        for (Process each : started) {
            assertThat(asOther("cat /proc/" + each.pid() + "/environ").status())
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
            // The process has ended.
            return "";
        }
    }
}
