package io.sheaf.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.random.RandomStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeTextTest {
    @ParameterizedTest
    @CsvSource({
        "10G, 10737418240",
        "512M, 536870912",
        "1.5K, 1536",
        "4GiB, 4294967296",
        "100MB, 104857600",
        "77, 77",
        "0.1K, 103",
        "2 T, 2199023255552"
    })
    void readsCommonForms(String text, long bytes) {
        assertThat(SizeText.bytes(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G", "-1G", "1X", "1.2.3M", "10Gigs"})
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> SizeText.bytes(text))
                .isInstanceOf(InputException.class)
                .hasMessage("'" + text + "' is not a size; write 512M, 10G, 1.5T or a number of bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"99999999P", "8192P", "99999999999999999999"})
    void reportsSizesThatAreTooLarge(String text) {
        assertThatThrownBy(() -> SizeText.bytes(text))
                .isInstanceOf(InputException.class)
                .hasMessage("'" + text + "' is too large a size; the largest is just below 8192P");
    }

    @Test
    void writesWhatItReads() {
        assertThat(SizeText.text(10L << 30)).isEqualTo("10G");
        assertThat(SizeText.text(1001)).isEqualTo("1001");
        assertThat(SizeText.text(0)).isEqualTo("0");
        RandomStream random = new RandomStream(2);
        for (int i = 0; i < 10_000; i++) {
            long bytes = random.nextLong(1L << random.between(1, 20)) << random.nextInt(40);
            assertThat(SizeText.bytes(SizeText.text(bytes))).isEqualTo(bytes);
        }
    }
}
