package io.sheaf.agent.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Heartbeat;
import io.sheaf.agent.protocol.Message.Start;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that frames are read as they were written, and that malformed bytes are refused. */
class FramesTest {
    private static final long EPOCH = 5;

    private static List<Frame> readAll(byte[] bytes) throws IOException {
        InputStream in = new ByteArrayInputStream(bytes);
        List<Frame> frames = new ArrayList<>();
        for (Frame frame = Frames.read(in); frame != null; frame = Frames.read(in)) {
            frames.add(frame);
        }
        return frames;
    }

    @Test
    void everyMessageIsReadAsWritten() throws IOException {
        byte[] bytes = Frames.encode(EPOCH, Messages.all());
        List<Frame> expected =
                Messages.all().stream().map(m -> new Frame(EPOCH, m)).toList();
        assertThat(readAll(bytes)).isEqualTo(expected);
        assertThat(Frames.decodeAll(bytes)).isEqualTo(expected);
        Object[] kinds = Stream.of(Message.ToAgent.class, Message.ToManager.class)
                .flatMap(side -> Stream.of(side.getPermittedSubclasses()))
                .distinct()
                .toArray();
        assertThat(expected.stream().map(f -> (Object) f.message().getClass()))
                .as("a message of every kind is tested")
                .containsExactlyInAnyOrder(kinds);
    }

    @Test
    void aLongFrameIsReadAsWritten() throws IOException {
        String script = "x".repeat(1 << 20);
        Start start = new Start(
                new AttemptId(0, 0),
                Work.of("long", List.of("/bin/sh", "-c", script)),
                Needs.cores(1),
                TaskFiles.none("/", "out", "err"));
        assertThat(readAll(Frames.encode(EPOCH, List.of(start)))).containsExactly(new Frame(EPOCH, start));
    }

    @Test
    void anOversizedMessageIsRefusedWithAdvice() {
        Start start = new Start(
                new AttemptId(0, 0),
                Work.of("long", List.of("x".repeat(Frames.MAX_BYTES))),
                Needs.cores(1),
                TaskFiles.none("/", "out", "err"));
        assertThatThrownBy(() -> Frames.encode(EPOCH, List.of(start)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("put long arguments into a file");
    }

    @Test
    void everyTruncationIsRefused() throws IOException {
        for (Message message : Messages.all()) {
            byte[] bytes = Frames.encode(EPOCH, List.of(message));
            for (int length = 1; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> readAll(cut)).isInstanceOf(EOFException.class);
                assertThatThrownBy(() -> Frames.decodeAll(cut)).isInstanceOf(MalformedFrameException.class);
                assertThat(Frames.decodeWhole(cut)).isEmpty();
            }
        }
    }

    @Test
    void aFrameOfTheWrongLengthForItsTypeIsRefused() {
        for (Message message : Messages.all()) {
            byte[] bytes = Frames.encode(EPOCH, List.of(message));
            for (int change : new int[] {-1, 1}) {
                byte[] wrong = Arrays.copyOf(bytes, bytes.length + change);
                int length = wrong.length - Integer.BYTES;
                wrong[0] = (byte) (length >>> 24);
                wrong[1] = (byte) (length >>> 16);
                wrong[2] = (byte) (length >>> 8);
                wrong[3] = (byte) length;
                assertThatThrownBy(() -> readAll(wrong)).isInstanceOf(MalformedFrameException.class);
            }
        }
    }

    @Test
    void invalidLengthsAreRefusedFromTheHeaderAlone() {
        for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 9, Frames.MAX_BYTES + 1, Integer.MAX_VALUE}) {
            byte[] head = {(byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length};
            assertThatThrownBy(() -> readAll(head))
                    .isInstanceOf(MalformedFrameException.class)
                    .hasMessageContaining("a frame of " + length + " bytes");
        }
    }

    @Test
    void aPartOfACoreIsEncodedAndValidated() throws IOException {
        Start start = new Start(
                new AttemptId(3, 1),
                Work.of("t", List.of("true")),
                new Needs(1, 0, 0, 0, List.of(), 250, 0),
                TaskFiles.none("folder", "out", "err"));
        Start placed = start.on(3);
        assertThat(placed.needs()).isEqualTo(new Needs(1, 0, 0, 0, List.of(), 250, 3));
        assertThat(readAll(Frames.encode(EPOCH, List.of(placed)))).containsExactly(new Frame(EPOCH, placed));
        for (int share : new int[] {-1, 1000}) {
            assertThatThrownBy(() -> new Needs(1, 0, 0, 0, List.of(), share, 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new Needs(1, 0, 0, 0, List.of("n1", "n2"), 500, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Journals of earlier versions have results without the bytes that the task read and wrote. */
    @Test
    void aResultOfAnEarlierVersionIsRead() throws IOException {
        Ended ended = new Ended(
                new AttemptId(3, 1),
                AttemptOutcome.SUCCEEDED,
                0,
                "",
                new Usage(1, 2, 3, 4, 5, 6),
                List.of(),
                List.of("line"));
        byte[] now = Frames.encode(EPOCH, List.of(ended));
        byte[] before = Arrays.copyOf(now, now.length - 2 * Long.BYTES);
        ByteBuffer.wrap(before).putInt(0, before.length - Integer.BYTES);
        assertThat(Frames.decodeAll(now)).containsExactly(new Frame(EPOCH, ended));
        assertThat(Frames.decodeAll(before).get(0).message())
                .isEqualTo(new Ended(
                        new AttemptId(3, 1),
                        AttemptOutcome.SUCCEEDED,
                        0,
                        "",
                        new Usage(1, 2, 3, 4),
                        List.of(),
                        List.of("line")));
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] bytes = Frames.encode(EPOCH, List.of(new Heartbeat()));
        bytes[Integer.BYTES] = 1;
        assertThatThrownBy(() -> readAll(bytes)).hasMessage("a frame of version 1; this is version 2");
    }

    @Test
    void aTruncatedEndLosesOnlyTheLastFrame() {
        byte[] bytes = Frames.encode(EPOCH, Messages.all());
        byte[] torn = Arrays.copyOf(bytes, bytes.length - 1);
        assertThat(Frames.decodeWhole(torn)).hasSize(Messages.all().size() - 1);
    }
}
