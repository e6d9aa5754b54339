package io.sheaf.agent.link;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A self-signed X.509 certificate (RFC 5280) for an elliptic-curve key, encoded in DER. Without it, only a process of
 * {@code keytool} could create one, which takes as long as all other work of a run before its first job.
 */
final class SelfSigned {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;

    /** ecdsa-with-SHA256, 1.2.840.10045.4.3.2. */
    private static final byte[] ECDSA_SHA256 = {0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02
    };

    /** commonName, 2.5.4.3. */
    private static final byte[] COMMON_NAME = {0x06, 0x03, 0x55, 0x04, 0x03};

    /** From this year on, times are written with four digits. */
    private static final int FOUR_DIGITS = 2050;

    private SelfSigned() {}

    /** A certificate for a key pair, whose subject and issuer have this common name. */
    static Certificate of(KeyPair pair, String name, Instant from, Instant to) throws GeneralSecurityException {
        byte[] algorithm = der(SEQUENCE, ECDSA_SHA256);
        byte[] named = der(
                SEQUENCE,
                der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, name.getBytes(StandardCharsets.UTF_8)))));
        byte[] content = der(
                SEQUENCE,
                // Version 3.
                der(VERSION, der(INTEGER, new byte[] {2})),
                der(INTEGER, BigInteger.valueOf(from.toEpochMilli()).toByteArray()),
                algorithm,
                named,
                der(SEQUENCE, time(from), time(to)),
                named,
                pair.getPublic().getEncoded());
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(content);
        byte[] certificate = der(SEQUENCE, content, algorithm, der(BIT_STRING, new byte[] {0}, signature.sign()));
        return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }

    private static byte[] time(Instant instant) {
        ZonedDateTime utc = instant.atZone(ZoneOffset.UTC);
        boolean four = utc.getYear() >= FOUR_DIGITS;
        String text =
                utc.format(DateTimeFormatter.ofPattern(four ? "yyyyMMddHHmmss'Z'" : "yyMMddHHmmss'Z'", Locale.ROOT));
        return der(four ? GENERALIZED_TIME : UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A tag, the length of the parts, and the parts. */
    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int zeros = digits[0] == 0 ? 1 : 0;
            out.write(0x80 | digits.length - zeros);
            out.write(digits, zeros, digits.length - zeros);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
