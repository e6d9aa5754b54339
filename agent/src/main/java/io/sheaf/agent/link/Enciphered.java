package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Warm-up of the TLS cipher: encrypts and decrypts messages before they are needed, because Java's implementation is slow until compiled. */
public final class Enciphered {
    /** So often a method has run when agents compile it, and a few times more. */
    private static final int OFTEN = 250;

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int TAG_BITS = 128;
    private static final int NONCE_BYTES = 12;

    private Enciphered() {}

    /** Whether each message is decrypted correctly. */
    public static boolean isHeard(Message said) {
        SecretKeySpec key = new SecretKeySpec(new byte[TAG_BITS / Byte.SIZE], "AES");
        try {
            int heard = 0;
            for (int i = 0; i < OFTEN; i++) {
                byte[] nonce = new byte[NONCE_BYTES];
                nonce[0] = (byte) i;
                GCMParameterSpec with = new GCMParameterSpec(TAG_BITS, nonce);
                Cipher out = Cipher.getInstance(CIPHER);
                out.init(Cipher.ENCRYPT_MODE, key, with);
                Cipher in = Cipher.getInstance(CIPHER);
                in.init(Cipher.DECRYPT_MODE, key, with);
                byte[] there = out.doFinal(Frames.encode(0, List.of(said)));
                heard += Frames.decodeWhole(in.doFinal(there)).size();
            }
            return heard == OFTEN;
        } catch (GeneralSecurityException e) {
            // A JDK without it speaks by another one.
            return false;
        }
    }
}
