package io.sheaf.formats.dax;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.BufferedInputStream;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The characters of an XML text, by its byte order mark or its declaration; UTF-8 otherwise.
 *
 * <p>The JDK's own decoder prints to standard error when bytes are no text; this one only throws.
 */
final class XmlDecoding {
    private static final int HEAD = 200;
    private static final Pattern DECLARED = Pattern.compile("^<\\?xml[^>]*encoding\\s*=\\s*[\"']([^\"']*)[\"']");

    private XmlDecoding() {}

    static Reader of(InputStream in) throws IOException {
        BufferedInputStream bytes = new BufferedInputStream(in, 1 << 16);
        bytes.mark(HEAD);
        byte[] head = bytes.readNBytes(HEAD);
        bytes.reset();
        if (startsWith(head, 0xef, 0xbb, 0xbf)) {
            bytes.skipNBytes(3);
            return strictly(bytes, StandardCharsets.UTF_8);
        }
        if (startsWith(head, 0xfe, 0xff) || startsWith(head, 0xff, 0xfe)) {
            return strictly(bytes, StandardCharsets.UTF_16);
        }
        Matcher declared = DECLARED.matcher(new String(head, StandardCharsets.ISO_8859_1));
        return strictly(bytes, declared.find() ? named(declared.group(1)) : StandardCharsets.UTF_8);
    }

    private static Reader strictly(InputStream bytes, Charset charset) {
        return new StrictReader(new InputStreamReader(bytes, charset));
    }

    /** Refuses what the decoder puts for bytes that are no text: only so is their place known. */
    private static final class StrictReader extends FilterReader {
        private static final char NO_TEXT = '\ufffd';

        private long line = 1;
        private long column;

        StrictReader(Reader in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            char[] one = new char[1];
            return read(one, 0, 1) < 0 ? -1 : one[0];
        }

        @Override
        public int read(char[] into, int from, int length) throws IOException {
            int count = super.read(into, from, length);
            for (int i = from; i < from + count; i++) {
                column++;
                if (into[i] == '\n') {
                    line++;
                    column = 0;
                } else if (into[i] == NO_TEXT) {
                    throw new InputException(
                            "these bytes are no text in the file's encoding; save the file as UTF-8",
                            Place.of(line, column));
                }
            }
            return count;
        }
    }

    private static Charset named(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new InputException("the encoding '" + name + "' is unknown; save the file as UTF-8", Place.of(1, 1));
        }
    }

    private static boolean startsWith(byte[] head, int... mark) {
        for (int i = 0; i < mark.length; i++) {
            if (i >= head.length || (head[i] & 0xff) != mark[i]) {
                return false;
            }
        }
        return true;
    }
}
