package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The values of a variable: a list, or a range that is not expanded. */
sealed interface Values {
    int size();

    String get(int index);

    /** Values that were listed. */
    record Listed(List<String> values) implements Values {
        @Override
        public int size() {
            return values.size();
        }

        @Override
        public String get(int index) {
            return values.get(index);
        }
    }

    /**
     * Numbers at equal distances, both ends included: {@code 1..10}, {@code 0..1 by 0.25}, {@code 001..100}.
     *
     * <p>Decimal arithmetic, so that a tenth of a step is exact. Leading zeros at either end request equal width.
     */
    record Range(BigDecimal from, BigDecimal step, int size, int width) implements Values {
        private static final String NUMBER = "(-?\\d{1,15}(?:\\.\\d{1,9})?)";
        private static final Pattern FORM =
                Pattern.compile(NUMBER + "\\.\\." + NUMBER + "(?:\\s+by\\s+" + NUMBER + ")?");
        private static final int LONGEST = 80;

        /** The range, or null if the text is not one. */
        static @Nullable Range parse(String text, Text source) {
            Matcher form = FORM.matcher(text);
            if (text.length() > LONGEST || !form.matches()) {
                return null;
            }
            BigDecimal from = new BigDecimal(form.group(1));
            BigDecimal to = new BigDecimal(form.group(2));
            BigDecimal step = form.group(3) == null ? BigDecimal.ONE : new BigDecimal(form.group(3));
            if (step.signum() <= 0 || from.compareTo(to) > 0) {
                throw new InputException(
                        "the range " + text
                                + " is empty; the start must not be above the end, and the step must be above 0",
                        source.place());
            }
            BigDecimal count =
                    to.subtract(from).divide(step, 0, RoundingMode.FLOOR).add(BigDecimal.ONE);
            int size = count.min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
            boolean padded = isPadded(form.group(1)) || isPadded(form.group(2));
            int width = padded ? Math.max(form.group(1).length(), form.group(2).length()) : 0;
            return new Range(from, step, size, width);
        }

        private static boolean isPadded(String number) {
            return number.length() > 1 && number.charAt(0) == '0' && number.indexOf('.') < 0;
        }

        @Override
        public String get(int index) {
            BigDecimal value = step.multiply(BigDecimal.valueOf(index)).add(from);
            String digits =
                    value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
            return "0".repeat(Math.max(0, width - digits.length())) + digits;
        }
    }
}
