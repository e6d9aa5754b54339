package io.sheaf.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.random.RandomStream;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
    @ParameterizedTest
    @CsvSource({
        "90s, 90",
        "30m, 1800",
        "2h, 7200",
        "1d, 86400",
        "1w, 604800",
        "1h30m, 5400",
        "1d 12h, 129600",
        "1.5h, 5400",
        "45, 45",
        "0, 0",
        "30:00, 1800",
        "1:30:00, 5400",
        "1-12, 129600",
        "1-12:30, 131400",
        "1-12:30:15, 131415",
        "2 hours, 7200",
        "5min, 300",
        " 90S , 90"
    })
    void readsCommonForms(String text, long seconds) {
        assertThat(TimeText.micros(text)).isEqualTo(seconds * 1_000_000);
    }

    @Test
    void readsFractions() {
        assertThat(TimeText.micros("250ms")).isEqualTo(250_000);
        assertThat(TimeText.micros("0.000001")).isEqualTo(1);
        assertThat(TimeText.millis("1us")).as("rounded up").isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "-", "-x", "--5", "1x", "1:2:3:4", "::", "1-", "1e5", "1..5", "h", "1-2-3"})
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> TimeText.micros(text))
                .isInstanceOf(InputException.class)
                .hasMessage("'" + text + "' is not a time; write 90s, 30m, 2h, 1d, 1:30:00 or 1-12:00:00");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"99999999999999999999d", "4000000d", "4000000-00", "9999999999999999999:00", "300000000000:00:00"
            })
    void reportsTimesThatAreTooLong(String text) {
        assertThatThrownBy(() -> TimeText.micros(text))
                .isInstanceOf(InputException.class)
                .hasMessage("'" + text + "' is too long a time; the longest is 10,000 years");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "-5s", "-1:30:00"})
    void reportsNegativeTimes(String text) {
        assertThatThrownBy(() -> TimeText.micros(text))
                .isInstanceOf(InputException.class)
                .hasMessage("'" + text + "' is negative; a time is 0 or more");
    }

    @Test
    void writesWhatItReads() {
        assertThat(TimeText.text(5400_000_000L)).isEqualTo("1h30m");
        assertThat(TimeText.text(90_500_000)).isEqualTo("90.5s");
        assertThat(TimeText.text(0)).isEqualTo("0s");
        assertThat(TimeText.text(86_401_000_000L)).isEqualTo("1d1s");
        RandomStream random = new RandomStream(1);
        for (int i = 0; i < 10_000; i++) {
            long micros = random.nextLong(TimeText.LONGEST >> random.nextInt(50));
            // Whole seconds are written in larger units.
            micros = random.chance(0.5) ? micros : micros / TimeText.SECOND * TimeText.SECOND;
            assertThat(TimeText.micros(TimeText.text(micros))).isEqualTo(micros);
        }
    }

    @Test
    void writesSecondsExactly() {
        assertThat(TimeText.seconds(9_450_900_000L)).isEqualTo("9450.9");
        assertThat(TimeText.seconds(1)).isEqualTo("0.000001");
        assertThat(TimeText.seconds(-1_500_000)).isEqualTo("-1.5");
        assertThat(TimeText.seconds(3_000_000)).isEqualTo("3");
    }

    @Test
    void roundsDecimalSecondsAndRefusesHugeOnes() {
        assertThat(TimeText.microsOfSeconds(new BigDecimal("0.0000005"))).isEqualTo(1);
        assertThat(TimeText.microsOfSeconds(new BigDecimal("-2.5"))).isEqualTo(-2_500_000);
        assertThat(TimeText.microsOfSeconds(new BigDecimal("1e-999999"))).isZero();
        assertThatThrownBy(() -> TimeText.microsOfSeconds(new BigDecimal("1e999999999")))
                .hasMessage("1E+999999999 seconds is too long a time");
        assertThatThrownBy(() -> TimeText.microsOfSeconds(new BigDecimal("-1e17")))
                .hasMessage("-1E+17 seconds is too long a time");
    }
}
