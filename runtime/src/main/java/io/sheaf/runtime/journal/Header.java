package io.sheaf.runtime.journal;

import io.sheaf.text.InputException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The first record of an epoch's file.
 *
 * @param previous the epoch that this one continues; 0 if it is the first
 * @param length the valid bytes of the previous epoch's file; its process never acted on later ones
 * @param owner a description of the lease holder, which only the caller interprets
 */
record Header(long epoch, long previous, long length, String owner) {
    private static final String MAGIC = "sheaf journal";
    /** The version of the header; raised when earlier releases of Sheaf would misread the file. All earlier ones are read. */
    private static final int VERSION = 2;

    byte[] bytes() throws IOException {
        return Journal.bytes(out -> {
            out.writeUTF(MAGIC);
            out.writeInt(VERSION);
            out.writeLong(epoch);
            out.writeLong(previous);
            out.writeLong(length);
            out.writeUTF(owner);
        });
    }

    static Header read(Path file, byte[] payload) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload));
        if (!in.readUTF().equals(MAGIC)) {
            throw new InputException("this is not a journal of Sheaf").in(file.toString());
        }
        int version = in.readInt();
        if (version < 1 || version > VERSION) {
            throw new InputException("this journal has version " + version + ", this Sheaf reads versions up to "
                            + VERSION + "; continue with the Sheaf that started the run")
                    .in(file.toString());
        }
        return new Header(in.readLong(), in.readLong(), in.readLong(), in.readUTF());
    }
}
