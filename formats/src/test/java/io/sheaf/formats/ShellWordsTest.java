package io.sheaf.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordsTest {
    @Test
    void splitsLikeAShell() {
        assertThat(ShellWords.split("  a  'b c'\"d $e\"\\ f '' \"\\\"\\n\"\n g\\'h "))
                .containsExactly("a", "b cd $e f", "", "\"\\n", "g'h");
        assertThat(ShellWords.split(" \t ")).isEmpty();
        assertThat(ShellWords.split("end\\")).containsExactly("end\\");
        assertThatThrownBy(() -> ShellWords.split("a \"b"))
                .isInstanceOf(InputException.class)
                .hasMessage("a quote \" is never closed; close it");
    }

    @Test
    void quotesOnlyWordsThatNeedIt() {
        assertThat(ShellWords.join(List.of("plain", "--x=1", "", "a b", "it's", "$x")))
                .isEqualTo("plain --x=1 '' 'a b' 'it'\\''s' '$x'");
    }

    /** Both {@link ShellWords#split} and a real shell restore the words. */
    @Test
    void splitAndTheShellRestoreQuotedWords() throws IOException, InterruptedException {
        RandomStream random = new RandomStream(5);
        String letters = "ab '\"\\$`*?[]{}()<>|&;#~!=%\n\tü";
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            StringBuilder word = new StringBuilder();
            for (int j = random.nextInt(6); j > 0; j--) {
                word.append(letters.charAt(random.nextInt(letters.length())));
            }
            words.add(word.toString());
        }
        String line = ShellWords.join(words);
        assertThat(ShellWords.split(line)).isEqualTo(words);
        Process shell = new ProcessBuilder("/bin/sh", "-s").start();
        try (var in = shell.getOutputStream()) {
            in.write(("printf '%s\\001' " + line + "\n").getBytes(StandardCharsets.UTF_8));
        }
        String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isZero();
        assertThat(List.of(printed.split("\u0001", -1))).startsWith(words.toArray(String[]::new));
    }
}
