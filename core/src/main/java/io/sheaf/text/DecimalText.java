package io.sheaf.text;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Numbers with fixed decimals: the same text on every JDK, since the exact value is rounded and not its shortest spelling. */
public final class DecimalText {
    private DecimalText() {}

    /** A finite number, rounded half up. */
    public static String fixed(double value, int places) {
        return new BigDecimal(value).setScale(places, RoundingMode.HALF_UP).toPlainString();
    }
}
