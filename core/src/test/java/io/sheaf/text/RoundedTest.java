package io.sheaf.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoundedTest {
    @Test
    void timesHaveTheUnitThatFits() {
        assertThat(Rounded.time(0)).isEqualTo("0 s");
        assertThat(Rounded.time(59_940)).isEqualTo("59.9 s");
        assertThat(Rounded.time(60_000)).isEqualTo("1.0 min");
        assertThat(Rounded.time(90 * 60_000)).isEqualTo("1.5 h");
        assertThat(Rounded.time(95 * 3_600_000L)).isEqualTo("95.0 h");
        assertThat(Rounded.time(96 * 3_600_000L)).isEqualTo("4.0 d");
    }

    @Test
    void countsAndPercentagesAreFormatted() {
        assertThat(Rounded.count(1_234_567)).isEqualTo("1,234,567");
        assertThat(Rounded.percent(0.70449)).isEqualTo("70.4 %");
    }

    /** The exact value decides: 0.125 is a half, 2.675 is a little less than its spelling. */
    @Test
    void decimalsAreRoundedFromTheExactValue() {
        assertThat(DecimalText.fixed(0.125, 2)).isEqualTo("0.13");
        assertThat(DecimalText.fixed(2.675, 2)).isEqualTo("2.67");
        assertThat(DecimalText.fixed(1e9, 3)).isEqualTo("1000000000.000");
    }

    @Test
    void fewNodeHoursHaveMoreDecimals() {
        assertThat(Rounded.hours(0)).isEqualTo("0.0");
        assertThat(Rounded.hours(3_600_000)).isEqualTo("1.0");
        assertThat(Rounded.hours(36_000)).isEqualTo("0.0100");
        assertThat(Rounded.hours(360_000)).isEqualTo("0.1");
    }
}
