package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Warm-up of the TLS cipher: encrypts and decrypts messages before they are needed, because Java's implementation is slow until compiled. */
public final class CipherWarmUp {
    /** Slightly above the number of calls after which agents compile a method. */
    private static final int ROUNDS = 250;

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int TAG_BITS = 128;
    private static final int NONCE_BYTES = 12;

    private CipherWarmUp() {}

    /** Whether each message is decrypted correctly. */
    public static boolean run(Message message) {
        SecretKeySpec key = new SecretKeySpec(new byte[TAG_BITS / Byte.SIZE], "AES");
        try {
            int decrypted = 0;
            for (int i = 0; i < ROUNDS; i++) {
                byte[] nonce = new byte[NONCE_BYTES];
                nonce[0] = (byte) i;
                GCMParameterSpec with = new GCMParameterSpec(TAG_BITS, nonce);
                Cipher out = Cipher.getInstance(CIPHER);
                out.init(Cipher.ENCRYPT_MODE, key, with);
                Cipher in = Cipher.getInstance(CIPHER);
                in.init(Cipher.DECRYPT_MODE, key, with);
                byte[] encrypted = out.doFinal(Frames.encode(0, List.of(message)));
                decrypted += Frames.decodeWhole(in.doFinal(encrypted)).size();
            }
            return decrypted == ROUNDS;
        } catch (GeneralSecurityException e) {
            // A JDK without this cipher uses another one.
            return false;
        }
    }
}
