package io.sheaf.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole cores, or less than one in steps of a thousandth. */
class CoresTextTest {
    @ParameterizedTest
    @CsvSource({
        "1,1000,1",
        "16,16000,16",
        "0.5,500,0.5",
        "0.001,1,0.001",
        "0.250,250,0.25",
        "2.0,2000,2",
        "0.999,999,0.999"
    })
    void readsAndWritesThousandths(String text, long millicores, String written) {
        assertThat(CoresText.millicores(text)).isEqualTo(millicores);
        assertThat(CoresText.text(millicores)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "0.0",
                "-1",
                "-0.5",
                "0.0005",
                "0.5001",
                "1.5",
                "NaN",
                "Infinity",
                "1e3",
                "0x1",
                "half",
                "",
                ".5",
                "99999999999"
            })
    void refusesInvalidNumbersOfCores(String text) {
        assertThatThrownBy(() -> CoresText.millicores(text))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'" + text + "' is not a number of cores");
    }

    @Test
    void aLongTextIsTruncatedInTheMessage() {
        assertThatThrownBy(() -> CoresText.millicores("7".repeat(1000)))
                .isInstanceOf(InputException.class)
                .extracting(e -> String.valueOf(e.getMessage()).length())
                .matches(length -> length < 200);
    }
}
