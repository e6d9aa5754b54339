package io.sheaf.runtime.learnt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StateFolderTest {
    @Test
    void fileNamesAreValid() {
        assertThat(StateFolder.fileName("a b/c@2.5+x-y")).isEqualTo("a_b_c@2.5+x-y");
        assertThat(StateFolder.fileName("..")).isEqualTo("_..");
        assertThat(StateFolder.fileName("")).isEqualTo("_");
    }

    /** A file name may have 255 bytes. */
    @Test
    void longNamesAreShortenedAndStayDistinct() {
        String prefix = "ssh -o Option=value ".repeat(20);
        assertThat(StateFolder.fileName(prefix + "alpha"))
                .hasSizeLessThan(140)
                .startsWith("ssh_-o_Option_value_")
                .isNotEqualTo(StateFolder.fileName(prefix + "beta"));
    }
}
