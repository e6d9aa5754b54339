package io.sheaf.text;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Formats numbers with fixed decimals. Rounds the exact value, so that every JDK prints the same text. */
public final class DecimalText {
    private DecimalText() {}

    /** A finite number, rounded half up. */
    public static String fixed(double value, int places) {
        return new BigDecimal(value).setScale(places, RoundingMode.HALF_UP).toPlainString();
    }
}
