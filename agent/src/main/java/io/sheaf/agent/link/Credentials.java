package io.sheaf.agent.link;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * Key and self-signed certificate of a run: the file is the proof of membership.
 *
 * <p>Both sides present this certificate and trust no other. It is created with the JDK's {@code keytool} in a file that only its owner can
 * read; that is the protection, not the password that the format requires.
 */
public final class Credentials {
    static final String PROTOCOL = "TLSv1.3";

    private static final String ALIAS = "run";
    private static final String PASSWORD = "sheaf-run";
    private static final int KEYTOOL_SECONDS = 60;

    private final SSLContext context;

    private Credentials(SSLContext context) {
        this.context = context;
    }

    /** Creates the file if absent. */
    public static void create(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Path made = Files.createTempDirectory(
                file.toAbsolutePath().getParent(),
                ".credentials",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path store = made.resolve("made.p12");
        Path log = made.resolve("keytool.log");
        try {
            keytool(store, log);
            Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("rw-------"));
            Files.move(store, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(store);
            Files.deleteIfExists(log);
            Files.delete(made);
        }
    }

    private static void keytool(Path store, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        // Deriving a key from a password that is no secret would only delay every agent.
        for (String count : List.of("certPbeIterationCount", "keyPbeIterationCount", "macIterationCount")) {
            command.add("-J-Dkeystore.pkcs12." + count + "=1");
        }
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto"));
        command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
        // Clocks of nodes differ; a certificate that is valid from yesterday is valid on all of them.
        command.addAll(List.of("-startdate", "-1d", "-validity", "3650", "-dname", "CN=sheaf-run"));
        command.addAll(List.of("-storetype", "PKCS12", "-alias", ALIAS, "-storepass", PASSWORD));
        command.addAll(List.of("-keystore", store.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(command.get(0) + " did not end within " + KEYTOOL_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException(command.get(0) + " failed: " + Files.readString(log, StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while making credentials", e);
        } finally {
            process.destroyForcibly();
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
