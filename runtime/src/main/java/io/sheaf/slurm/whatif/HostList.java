package io.sheaf.slurm.whatif;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Expands Slurm's host lists, such as {@code n[1-3,7],gpu[01-04]}. */
public final class HostList {
    /** Slurm's order of hosts: by name, with numbers by value. */
    static final Comparator<String> ORDER = HostList::compare;

    /** Limits the memory that a damaged list can use. */
    private static final int MOST = 1_000_000;

    private HostList() {}

    /** The host names in the order of the list; empty for an empty list. */
    public static List<String> expand(String text) {
        List<String> names = new ArrayList<>();
        if (isNothing(text)) {
            return names;
        }
        int from = 0;
        int depth = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ',';
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (depth < 0 || depth > 1 || (i == text.length() && depth != 0)) {
                throw bad(text);
            }
            if (c == ',' && depth == 0) {
                expand(text.substring(from, i), names);
                from = i + 1;
            }
        }
        return names;
    }

    private static int compare(String a, String b) {
        int common = 0;
        while (common < a.length() && common < b.length() && a.charAt(common) == b.charAt(common)) {
            common++;
        }
        int digits = common;
        while (digits > 0 && isDigit(a, digits - 1)) {
            digits--;
        }
        int endOfA = endOfNumber(a, digits);
        int endOfB = endOfNumber(b, digits);
        if (endOfA > digits && endOfB > digits) {
            String first = a.substring(digits, endOfA).replaceFirst("^0+", "");
            String second = b.substring(digits, endOfB).replaceFirst("^0+", "");
            int order = first.length() != second.length()
                    ? Integer.compare(first.length(), second.length())
                    : first.compareTo(second);
            if (order != 0) {
                return order;
            }
        }
        return a.compareTo(b);
    }

    private static int endOfNumber(String text, int from) {
        int end = from;
        while (end < text.length() && isDigit(text, end)) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(String text, int at) {
        return text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    /** Whether Slurm's text means an empty value. */
    static boolean isNothing(String text) {
        return text.isEmpty() || text.equals("(null)") || text.equals("N/A") || text.equals("None assigned");
    }

    /** Expands one item, which may have several brackets. */
    private static void expand(String item, List<String> to) {
        int open = item.indexOf('[');
        if (open < 0) {
            if (item.isEmpty()) {
                throw bad(item);
            }
            if (to.size() >= MOST) {
                throw new InputException("a list of more than " + MOST + " hosts cannot be right");
            }
            to.add(item);
            return;
        }
        int close = item.indexOf(']', open);
        String before = item.substring(0, open);
        String after = item.substring(close + 1);
        for (String range : item.substring(open + 1, close).split(",", -1)) {
            int dash = range.indexOf('-');
            String first = dash < 0 ? range : range.substring(0, dash);
            int low = number(first, item);
            int high = dash < 0 ? low : number(range.substring(dash + 1), item);
            if (high < low || high - low > MOST) {
                throw bad(item);
            }
            for (int i = low; i <= high; i++) {
                String digits = Integer.toString(i);
                expand(before + "0".repeat(Math.max(0, first.length() - digits.length())) + digits + after, to);
            }
        }
    }

    private static int number(String digits, String item) {
        if (digits.isEmpty() || digits.length() > 9 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw bad(item);
        }
        return Integer.parseInt(digits);
    }

    private static InputException bad(String text) {
        return new InputException("'" + text + "' is not a list of hosts, such as n[1-3,7]");
    }
}
