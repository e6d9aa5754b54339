package io.sheaf.agent.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfSignedTest {
    @TempDir
    Path folder = Path.of("");

    /** The JDK verifies the signature and reads all fields; the encoding of times changes in 2050. */
    @Test
    void theJdkReadsTheCertificate() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        Instant from = Instant.parse("2049-12-31T23:59:59Z");
        Instant to = Instant.parse("2050-01-01T00:00:00Z");
        X509Certificate certificate = (X509Certificate) SelfSigned.of(pair, "é".repeat(100), from, to);
        certificate.verify(pair.getPublic());
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getSubjectX500Principal()).isEqualTo(certificate.getIssuerX500Principal());
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=" + "é".repeat(100));
        assertThat(certificate.getNotBefore().toInstant()).isEqualTo(from);
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(to);
        assertThat(certificate.getPublicKey()).isEqualTo(pair.getPublic());
    }

    @Test
    void theCredentialsFileIsOnlyForItsOwner() throws Exception {
        Path file = folder.resolve("credentials.p12");
        Credentials.create(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(folder).isDirectoryNotContaining("glob:**.credentials*");
        byte[] before = Files.readAllBytes(file);
        Credentials.create(file);
        assertThat(Files.readAllBytes(file)).as("created once").isEqualTo(before);
        assertThat(Credentials.load(file)).isNotNull();
    }
}
