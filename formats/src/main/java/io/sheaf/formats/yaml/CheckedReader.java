package io.sheaf.formats.yaml;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads UTF-8 text without its byte order mark; characters that YAML forbids are errors with their place, and so are words without end.
 *
 * <p>The parser would report characters only with an offset, and its time grows with the square of a word's length.
 */
final class CheckedReader extends Reader {
    /** What the decoder puts in place of bytes that are not UTF-8. */
    private static final char REPLACEMENT = '\ufffd';

    private static final char BYTE_ORDER_MARK = '\ufeff';

    /** Between blanks. */
    private static final int LONGEST_WORD = 8 << 20;

    private final Reader in;
    private int word;
    private boolean begun;
    private long line = 1;
    private long column = 1;

    CheckedReader(InputStream in) {
        this.in = new InputStreamReader(in, StandardCharsets.UTF_8);
    }

    @Override
    public int read(char[] into, int from, int length) throws IOException {
        int count = in.read(into, from, length);
        if (!begun && count > 0) {
            begun = true;
            if (into[from] == BYTE_ORDER_MARK) {
                System.arraycopy(into, from + 1, into, from, count - 1);
                count = count > 1 ? count - 1 : in.read(into, from, length);
            }
        }
        for (int i = from; i < from + count; i++) {
            check(into[i]);
        }
        return count;
    }

    private void check(char c) {
        if (c == REPLACEMENT) {
            throw new InputException("this is not UTF-8 text; save the file as UTF-8", Place.of(line, column));
        }
        if (!StreamReader.isPrintable(c) && !Character.isSurrogate(c)) {
            String code = String.format(Locale.ROOT, "%04X", (int) c);
            throw new InputException(
                    "the character U+" + code + " is not allowed in a YAML file; write \"\\u" + code
                            + "\" or remove it",
                    Place.of(line, column));
        }
        word = c == '\n' || c == ' ' || c == '\t' ? 0 : word + 1;
        if (word > LONGEST_WORD) {
            throw new InputException(
                    "more than " + LONGEST_WORD + " characters without a blank; write the value into a file",
                    Place.of(line, column - LONGEST_WORD));
        }
        if (c == '\n') {
            line++;
            column = 1;
        } else {
            column++;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
