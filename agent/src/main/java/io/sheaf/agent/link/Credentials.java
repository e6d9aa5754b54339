package io.sheaf.agent.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * Key and self-signed certificate of a run: the file is the proof of membership.
 *
 * <p>Both sides present this certificate and trust no other. It is created in a file that only its owner can
 * read; that is the protection, not the password that the format requires.
 */
public final class Credentials {
    static final String PROTOCOL = "TLSv1.3";

    private static final String ALIAS = "run";
    private static final String PASSWORD = "sheaf-run";
    private static final int VALID_DAYS = 3650;

    private final SSLContext context;

    private Credentials(SSLContext context) {
        this.context = context;
    }

    /** Creates the file if absent. */
    public static void create(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Path made = Files.createTempFile(
                file.toAbsolutePath().getParent(),
                ".credentials",
                ".p12",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            write(made);
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    private static void write(Path file) throws IOException {
        // Deriving a key from a password that is no secret would only delay every agent.
        for (String count : List.of("certPbeIterationCount", "keyPbeIterationCount", "macIterationCount")) {
            System.setProperty("keystore.pkcs12." + count, "1");
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            Instant now = Instant.now();
            // Clocks of nodes differ; a certificate that is valid from yesterday is valid on all of them.
            Certificate certificate = SelfSigned.of(
                    pair, "sheaf-run", now.minus(1, ChronoUnit.DAYS), now.plus(VALID_DAYS, ChronoUnit.DAYS));
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(ALIAS, pair.getPrivate(), PASSWORD.toCharArray(), new Certificate[] {certificate});
            store.store(out, PASSWORD.toCharArray());
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot make credentials: " + e.getMessage(), e);
        }
    }

    public static Credentials load(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(in, PASSWORD.toCharArray());
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(ALIAS, own.getCertificate(ALIAS));
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(own, PASSWORD.toCharArray());
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return new Credentials(context);
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": no credentials of a run: " + e.getMessage(), e);
        }
    }

    /** Puts TLS over a connection; the handshake is made by the first use. */
    SSLSocket secure(java.net.Socket plain, boolean client) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket(plain, plain.getInetAddress().getHostAddress(), plain.getPort(), true);
        socket.setUseClientMode(client);
        socket.setEnabledProtocols(new String[] {PROTOCOL});
        if (!client) {
            socket.setNeedClientAuth(true);
        }
        return socket;
    }
}
