package io.sheaf.agent.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Frame;
import io.sheaf.agent.protocol.MalformedFrameException;
import io.sheaf.agent.protocol.Message.Kill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files through which manager and agents find and reach each other. */
class EndpointTest {
    @TempDir
    Path folder = Path.of("");

    private static Kill kill(int task) {
        return new Kill(new AttemptId(task, 1));
    }

    @Test
    void anEndpointIsReadAsWritten() throws IOException {
        Path file = folder.resolve("endpoint");
        assertThat(Endpoint.read(file)).isNull();
        Endpoint endpoint = new Endpoint(3, "login 1", 4711, 5000, List.of("10.0.0.1", "fe80::1"));
        endpoint.write(file);
        assertThat(Endpoint.read(file)).isEqualTo(endpoint);
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aMalformedEndpointFileIsReported() throws IOException {
        Path file = folder.resolve("endpoint");
        for (String text : List.of("", "epoch x\n", "epoch 1\nnonsense\n", "port 1\n")) {
            Files.writeString(file, text);
            assertThatThrownBy(() -> Endpoint.read(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(file.toString());
        }
    }

    @Test
    void aSpoolIsReadInOrderAndOnce() throws IOException {
        Path spool = folder.resolve("in");
        Spool writer = new Spool(spool);
        for (int i = 0; i < 20; i++) {
            writer.write(2, List.of(kill(i), kill(100 + i)));
        }
        List<Frame> frames = new Spool(spool).take(2);
        assertThat(frames).hasSize(40);
        assertThat(frames.get(2)).isEqualTo(new Frame(2, kill(1)));
        assertThat(new Spool(spool).take(2)).isEmpty();
    }

    @Test
    void aSpoolReturnsOnlyFramesOfTheRequestedEpoch() throws IOException {
        Spool spool = new Spool(folder);
        spool.write(1, List.of(kill(1)));
        spool.write(2, List.of(kill(2)));
        spool.write(3, List.of(kill(3)));
        assertThat(spool.take(2)).containsExactly(new Frame(2, kill(2)));
        assertThat(spool.take(1)).as("older frames are deleted").isEmpty();
        assertThat(spool.take(3)).as("newer frames are kept").containsExactly(new Frame(3, kill(3)));
    }

    @Test
    void aFileWithoutFramesIsSetAside() throws IOException {
        Spool spool = new Spool(folder);
        Files.writeString(folder.resolve("000000000001-1.frames"), "garbage");
        assertThatThrownBy(() -> spool.take(1)).isInstanceOf(MalformedFrameException.class);
        spool.write(1, List.of(kill(1)));
        assertThat(spool.take(1)).containsExactly(new Frame(1, kill(1)));
        assertThat(folder.resolve("000000000001-1.frames.bad")).exists();
    }
}
