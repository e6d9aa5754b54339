package io.sheaf.app.replay;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jobs embedded in a page, decoded as the script of the page decodes them. */
final class Unpacked {
    /** Times are in the page's unit; ranges are pairs of first node and length. */
    record Job(
            long id, long submit, long waited, long run, long requested, long nodes, long outcome, List<Long> ranges) {}

    private static final Pattern DATA =
            Pattern.compile("id=\"jobs\" data-count=\"(\\d+)\" data-unit=\"(\\d+)\">([A-Za-z0-9+/=]*)</script>");

    private final byte[] bytes;
    private int at;

    private Unpacked(byte[] bytes) {
        this.bytes = bytes;
    }

    static long unit(String page) {
        return Long.parseLong(data(page).group(2));
    }

    private static Matcher data(String page) {
        Matcher found = DATA.matcher(page);
        if (!found.find()) {
            throw new AssertionError("the page contains no jobs");
        }
        return found;
    }

    static List<Job> jobs(String page) {
        Matcher found = data(page);
        int count = Integer.parseInt(found.group(1));
        Unpacked in = new Unpacked(Base64.getDecoder().decode(found.group(3)));
        long[] id = in.sums(count);
        long[] submit = in.sums(count);
        long[][] columns = new long[5][count];
        for (long[] column : columns) {
            for (int j = 0; j < count; j++) {
                column[j] = in.next();
            }
        }
        List<Job> jobs = new ArrayList<>();
        for (int j = 0; j < count; j++) {
            long nodes = columns[3][j];
            jobs.add(new Job(
                    id[j],
                    submit[j],
                    columns[0][j],
                    columns[1][j],
                    columns[2][j],
                    nodes,
                    columns[4][j],
                    in.ranges(nodes)));
        }
        if (in.at != in.bytes.length) {
            throw new AssertionError(in.bytes.length - in.at + " bytes are left over");
        }
        return jobs;
    }

    private List<Long> ranges(long nodes) {
        List<Long> ranges = new ArrayList<>();
        long end = 0;
        long rest = nodes;
        for (long left = next(); left > 0; left--) {
            long first = end + next();
            long length = left > 1 ? next() : rest;
            ranges.add(first);
            ranges.add(length);
            rest -= length;
            end = first + length;
        }
        return ranges;
    }

    private long[] sums(int count) {
        long[] values = new long[count];
        long sum = 0;
        for (int j = 0; j < count; j++) {
            long value = next();
            sum += (value >>> 1) ^ -(value & 1);
            values[j] = sum;
        }
        return values;
    }

    private long next() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = bytes[at++];
            value |= (long) (b & 127) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }
}
