package io.sheaf.formats;

import io.sheaf.random.RandomStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Damages texts for fuzz tests.
 *
 * <p>A mutant is a text after one to four edits: a flipped bit, a random byte, a deleted, doubled or moved slice, two
 * swapped words, a word of the dictionary inserted or in place of another word, or a truncation. The same seed gives
 * the same mutants.
 */
public final class Mutations {
    /** Numbers that overflow, nested brackets, quotes and control characters. */
    private static final List<String> USUAL = List.of(
            "0",
            "-1",
            "1e999999999",
            "1e-999999999",
            "9223372036854775808",
            "-0.5",
            "NaN",
            "null",
            "true",
            "\"\"",
            "''",
            "\n",
            "\t",
            " ",
            "\u0000",
            "\\",
            "{",
            "}",
            "[",
            "]",
            "<",
            ">",
            "&",
            "#",
            ":",
            ",",
            "\"",
            "'",
            "[[[[[[[[[[[[[[[[",
            "{{{{{{{{{{{{{{{{",
            "\ud83c\udf3e");

    private static final int KINDS = 10;
    private static final int LONGEST_SLICE = 64;

    private final RandomStream random;
    private final byte[][] dictionary;

    /** Creates mutations that also use these words of the format under test. */
    public Mutations(long seed, List<String> words) {
        random = new RandomStream(seed);
        List<String> all = new ArrayList<>(USUAL);
        all.addAll(words);
        dictionary =
                all.stream().map(word -> word.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
    }

    public byte[] next(byte[] text) {
        byte[] mutant = text;
        int edits = random.between(1, 4);
        for (int i = 0; i < edits; i++) {
            mutant = edit(mutant);
        }
        return mutant;
    }

    private byte[] edit(byte[] text) {
        int from = random.nextInt(text.length + 1);
        int to = Math.min(text.length, from + random.nextInt(LONGEST_SLICE));
        return switch (random.nextInt(KINDS)) {
            case 0 -> changed(text, from, (byte) (1 << random.nextInt(8)));
            case 1 -> changed(text, from, (byte) random.between(1, 255));
            case 2 -> replaced(text, from, to, new byte[0]);
            case 3 -> replaced(text, to, to, Arrays.copyOfRange(text, from, to));
            case 4 -> moved(text, from, to);
            case 5 -> replaced(text, from, from, word());
            case 6, 7 -> overWord(text, from, word());
            case 8 -> swapped(text, from, random.nextInt(text.length + 1));
            // Truncate rarely: a truncated mutant tests nothing after its end.
            default -> random.chance(0.3) ? Arrays.copyOf(text, from) : overWord(text, from, otherWord(text));
        };
    }

    private byte[] word() {
        return dictionary[random.nextInt(dictionary.length)];
    }

    private byte[] otherWord(byte[] text) {
        int at = random.nextInt(text.length + 1);
        return Arrays.copyOfRange(text, wordStart(text, at), wordEnd(text, at));
    }

    private static byte[] changed(byte[] text, int at, byte bits) {
        byte[] mutant = text.clone();
        if (at < mutant.length) {
            mutant[at] ^= bits;
        }
        return mutant;
    }

    private byte[] moved(byte[] text, int from, int to) {
        byte[] slice = Arrays.copyOfRange(text, from, to);
        byte[] removed = replaced(text, from, to, new byte[0]);
        int at = random.nextInt(removed.length + 1);
        return replaced(removed, at, at, slice);
    }

    private static byte[] overWord(byte[] text, int at, byte[] word) {
        return replaced(text, wordStart(text, at), wordEnd(text, at), word);
    }

    private static byte[] swapped(byte[] text, int one, int other) {
        int left = Math.min(one, other);
        int right = wordStart(text, Math.max(one, other));
        int start = wordStart(text, left);
        int end = wordEnd(text, left);
        if (end > right) {
            return text;
        }
        byte[] first = Arrays.copyOfRange(text, start, end);
        byte[] second = Arrays.copyOfRange(text, right, wordEnd(text, right));
        return replaced(replaced(text, right, right + second.length, first), start, end, second);
    }

    private static int wordStart(byte[] text, int at) {
        int start = at;
        while (start > 0 && isWord(text[start - 1])) {
            start--;
        }
        return start;
    }

    private static int wordEnd(byte[] text, int at) {
        int end = at;
        while (end < text.length && isWord(text[end])) {
            end++;
        }
        return end;
    }

    private static boolean isWord(byte b) {
        return b < 0 || Character.isLetterOrDigit(b) || b == '_' || b == '.' || b == '-';
    }

    private static byte[] replaced(byte[] text, int from, int to, byte[] replacement) {
        byte[] mutant = new byte[text.length - (to - from) + replacement.length];
        System.arraycopy(text, 0, mutant, 0, from);
        System.arraycopy(replacement, 0, mutant, from, replacement.length);
        System.arraycopy(text, to, mutant, from + replacement.length, text.length - to);
        return mutant;
    }
}
