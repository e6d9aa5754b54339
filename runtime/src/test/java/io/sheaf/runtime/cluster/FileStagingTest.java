package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sheaf.agent.link.Endpoint;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.runtime.spec.Site;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transfers between two folders by {@code cp}; the commands are recorded. */
class FileStagingTest {
    @TempDir
    Path folder = Path.of("");

    private final List<String> commands = Collections.synchronizedList(new ArrayList<>());
    private Path home = Path.of("");

    @BeforeEach
    void makeHome() throws IOException {
        home = Files.createDirectory(folder.resolve("home"));
    }

    private FileStaging open(String program) throws IOException {
        List<String> words = List.of(program, "-a", "{from}", "{to}");
        Site.Staging site = new Site.Staging(folder + "/site", words, words, "", "");
        RunFolder run = new RunFolder(home.resolve("run"));
        return new FileStaging(site, run, home.resolve("own"), home.resolve("marks"), this::run, this::run, 1_000);
    }

    private void run(List<String> words) throws IOException, InterruptedException {
        commands.add(String.join(" ", words).replace(folder.toString(), ""));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(output.strip());
        }
    }

    /** The event loop collects the measurements in each turn, also while the login node hangs. */
    @Test
    void aHangingCopyOfTheAddressDelaysNoOtherCall() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch ending = new CountDownLatch(1);
        RunFolder run = new RunFolder(Files.createDirectories(home.resolve("run")));
        new Endpoint(1, "here", 1, 7000, List.of("10.0.0.1")).write(run.endpoint());
        List<String> words = List.of("cp", "{from}", "{to}");
        try (FileStaging files = new FileStaging(
                new Site.Staging(folder + "/site", words, words, "", ""),
                run,
                home.resolve("own"),
                home.resolve("marks"),
                command -> {
                    hanging.countDown();
                    ending.await();
                },
                this::run,
                1_000)) {
            files.turn(0, true);
            hanging.await();
            assertTimeoutPreemptively(
                    Duration.ofSeconds(10), () -> assertThat(files.placed(0)).isEmpty());
            ending.countDown();
        }
    }

    private Path atSite(String name) {
        return Path.of(folder + "/site" + home.resolve(name));
    }

    @Test
    void unchangedFilesAreNotCopiedTwice() throws Exception {
        Path one = Files.writeString(home.resolve("one"), "1");
        Path two = Files.writeString(home.resolve("two"), "2");
        FileStaging files = open("cp");
        files.copy(List.of(one, two));
        // The folder's path is left out of the recorded commands, also where it is part of the site's.
        assertThat(commands).containsExactly("mkdir -p /site/home", "cp -a /home/one /home/two /site/home");
        assertThat(atSite("two")).hasContent("2");
        commands.clear();
        // Another manager reads the record.
        files = open("cp");
        files.copy(List.of(one));
        assertThat(commands).isEmpty();
        Files.writeString(two, "changed");
        files.copy(List.of(one, two));
        assertThat(commands).last().asString().startsWith("cp -a /home/two ");
        assertThat(atSite("two")).hasContent("changed");
        assertThat(files.summary()).startsWith("0.0 MB copied to the site at ");
    }

    /** Fetched files and folders replace local ones, and are not copied back. */
    @Test
    void fetchedFilesReplaceLocalOnes() throws Exception {
        Path made = Files.createDirectories(atSite("out/dir"));
        Files.writeString(made.resolve("new"), "n");
        Files.writeString(atSite("out/file"), "f");
        Path old = Files.createDirectories(home.resolve("out/dir")).resolve("old");
        Files.writeString(old, "o");
        FileStaging files = open("cp");
        List<Path> both = List.of(home.resolve("out/dir"), home.resolve("out/file"));
        files.fetch(both);
        assertThat(home.resolve("out/dir/new")).hasContent("n");
        assertThat(home.resolve("out/file")).hasContent("f");
        assertThat(old).doesNotExist();
        try (var all = Files.list(home.resolve("out"))) {
            assertThat(all).hasSize(2);
        }
        commands.clear();
        files.copy(both);
        assertThat(commands).isEmpty();
    }

    @Test
    void aTransferIsTriedThreeTimes() throws Exception {
        Path one = Files.writeString(home.resolve("one"), "1");
        FileStaging failing = open("false");
        assertThatThrownBy(() -> failing.copy(List.of(one))).isInstanceOf(IOException.class);
        assertThat(commands.stream().filter(each -> each.startsWith("false"))).hasSize(3);
        assertThatThrownBy(() -> failing.fetch(List.of(home.resolve("absent")))).isInstanceOf(IOException.class);
        open("cp").copy(List.of(one));
        assertThat(atSite("one")).hasContent("1");
    }
}
