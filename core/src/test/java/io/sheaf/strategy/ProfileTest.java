package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Walltimes for run times, worked out by hand. */
class ProfileTest {
    private static final long MINUTE = 60_000;

    /** 110 % · 117 % = 128.7 %, in whole per cent 129 %. */
    @Test
    void aFurtherMarginMultiplies() {
        assertThat(Profile.OWN.request(100 * MINUTE)).isEqualTo(110 * MINUTE);
        assertThat(Profile.OWN.withMargin(17).request(100 * MINUTE)).isEqualTo(129 * MINUTE);
        assertThat(Profile.OWN.withMargin(0)).isEqualTo(Profile.OWN);
    }
}
