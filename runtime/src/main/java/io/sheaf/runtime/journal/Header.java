package io.sheaf.runtime.journal;

import io.sheaf.text.InputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The first record of an epoch's file.
 *
 * @param previous the epoch that this one goes on from; 0 if it is the first
 * @param length how many bytes of that epoch's file count: what its process wrote behind them after this epoch began was never acted on
 * @param owner who is in charge, in words that only the caller understands
 */
record Header(long epoch, long previous, long length, String owner) {
    private static final String MAGIC = "sheaf journal";
    /** Of this header, of all records and of what the manager makes of them: it changes whenever older files would be read wrongly. */
    private static final int VERSION = 2;

    byte[] bytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeUTF(MAGIC);
        out.writeInt(VERSION);
        out.writeLong(epoch);
        out.writeLong(previous);
        out.writeLong(length);
        out.writeUTF(owner);
        return bytes.toByteArray();
    }

    static Header read(Path file, byte[] payload) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload));
        if (!in.readUTF().equals(MAGIC)) {
            throw new InputException("this is no journal of Sheaf").in(file.toString());
        }
        int version = in.readInt();
        if (version != VERSION) {
            throw new InputException("this journal is of version " + version + ", this Sheaf reads version " + VERSION
                            + "; go on with the Sheaf that began the run, or begin it anew in another folder")
                    .in(file.toString());
        }
        return new Header(in.readLong(), in.readLong(), in.readLong(), in.readUTF());
    }
}
