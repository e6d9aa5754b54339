package io.sheaf.agent.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests that reading arbitrary bytes returns frames or refuses them, without other exceptions or large allocations. */
class FrameFuzzTest {
    private static final int ROUNDS = 10_000;

    @Test
    void garbageIsRefused() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = new byte[random.nextInt(1, 200)];
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                frame(bytes);
            }
            read(bytes);
        }
    }

    @Test
    void changedFramesAreReadOrRefused() {
        SplittableRandom random = new SplittableRandom(2);
        List<Message> messages = Messages.all();
        int refused = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = Frames.encode(3, List.of(messages.get(random.nextInt(messages.size()))));
            for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
                // The high bytes of counts are where allocations would come from.
                byte value = random.nextBoolean() ? (byte) random.nextInt(256) : (byte) 0x7f;
                bytes[random.nextInt(bytes.length)] = value;
            }
            if (!read(bytes)) {
                refused++;
            }
        }
        assertThat(refused).as("most changes matter").isBetween(ROUNDS / 10, ROUNDS);
    }

    /** Writes a valid header before the bytes, so that the decoder of messages is tested, too. */
    private static void frame(byte[] bytes) {
        if (bytes.length > 14) {
            int length = bytes.length - Integer.BYTES;
            bytes[0] = 0;
            bytes[1] = 0;
            bytes[2] = (byte) (length >>> 8);
            bytes[3] = (byte) length;
            bytes[4] = Frames.VERSION;
            bytes[13] = (byte) ((bytes[13] & 0xff) % (MessageCodec.HEARTBEAT + 1));
        }
    }

    private static boolean read(byte[] bytes) {
        InputStream in = new ByteArrayInputStream(bytes);
        try {
            Frame frame = Frames.read(in);
            while (frame != null) {
                frame = Frames.read(in);
            }
            return true;
        } catch (MalformedFrameException | EOFException e) {
            return false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
