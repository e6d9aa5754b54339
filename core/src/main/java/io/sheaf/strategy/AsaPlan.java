package io.sheaf.strategy;

import io.sheaf.manager.Memo;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * The memo of {@link Asa}, by the first level of a stage.
 *
 * @param stages expectations of submitted stages
 * @param misses the queue wait of a stage that started too early
 * @param drawn the sampled wait of a stage that is not submitted yet
 */
record AsaPlan(int expiries, Map<Integer, Expected> stages, Map<Integer, Long> misses, Map<Integer, Long> drawn)
        implements Memo {
    static final long NOT_YET = -1;
    static final AsaPlan NEW = new AsaPlan(0, Map.of(), Map.of(), Map.of());

    /**
     * The expectations of a submitted stage.
     *
     * @param needed the expected end of the previous stage
     * @param start its expected start
     * @param queueWait its expected queue wait
     * @param freed the end of its dependency; {@link #NOT_YET} if it has not ended or there is none
     * @param learnt whether its start was already recorded as a lesson
     */
    record Expected(long needed, long start, long queueWait, long freed, boolean learnt) {
        static final Expected NOTHING = new Expected(Long.MIN_VALUE, Long.MIN_VALUE, 0, NOT_YET, true);

        static Expected of(long needed, long start, long queueWait) {
            return new Expected(needed, start, queueWait, NOT_YET, false);
        }

        Expected freedAt(long at) {
            return new Expected(needed, start, queueWait, at, learnt);
        }

        Expected isLearnt() {
            return new Expected(needed, start, queueWait, freed, true);
        }

        String text() {
            return needed + ":" + start + ":" + queueWait + ":" + freed + ":" + (learnt ? 1 : 0);
        }

        static Expected read(String[] f) {
            return new Expected(
                    Long.parseLong(f[1]),
                    Long.parseLong(f[2]),
                    Long.parseLong(f[3]),
                    Long.parseLong(f[4]),
                    f[5].equals("1"));
        }
    }

    AsaPlan expired(int times) {
        return new AsaPlan(times, Map.of(), misses, Map.of());
    }

    AsaPlan expecting(int level, Expected expected) {
        return new AsaPlan(expiries, with(stages, level, expected), misses, drawn);
    }

    AsaPlan submitted(int level, Expected expected) {
        Map<Integer, Long> remaining = new TreeMap<>(drawn);
        remaining.remove(level);
        return new AsaPlan(expiries, with(stages, level, expected), misses, Collections.unmodifiableMap(remaining));
    }

    AsaPlan tooEarly(int level, long waited) {
        return new AsaPlan(expiries, stages, with(misses, level, waited), drawn);
    }

    AsaPlan withDrawn(int level, long millis) {
        return new AsaPlan(expiries, stages, misses, with(drawn, level, millis));
    }

    private static <T> Map<Integer, T> with(Map<Integer, T> map, int level, T value) {
        Map<Integer, T> changed = new TreeMap<>(map);
        changed.put(level, value);
        return Collections.unmodifiableMap(changed);
    }

    /** {@code expiries|level:needed:start:wait:freed:learnt …|level:waited …|level:drawn …}. */
    @Override
    public String text() {
        StringJoiner submitted = new StringJoiner(" ");
        stages.forEach((level, e) -> submitted.add(level + ":" + e.text()));
        return expiries + "|" + submitted + "|" + text(misses) + "|" + text(drawn);
    }

    private static String text(Map<Integer, Long> millis) {
        StringJoiner text = new StringJoiner(" ");
        millis.forEach((level, each) -> text.add(level + ":" + each));
        return text.toString();
    }

    static AsaPlan read(String text) {
        String[] parts = text.split("\\|", -1);
        Map<Integer, Expected> stages = new TreeMap<>();
        for (String[] f : fields(parts[1])) {
            stages.put(Integer.valueOf(f[0]), Expected.read(f));
        }
        return new AsaPlan(Integer.parseInt(parts[0]), stages, millis(parts[2]), millis(parts[3]));
    }

    private static Map<Integer, Long> millis(String part) {
        Map<Integer, Long> millis = new TreeMap<>();
        for (String[] f : fields(part)) {
            millis.put(Integer.valueOf(f[0]), Long.valueOf(f[1]));
        }
        return millis;
    }

    private static List<String[]> fields(String part) {
        return part.isEmpty()
                ? List.of()
                : Arrays.stream(part.split(" ")).map(one -> one.split(":")).toList();
    }
}
