package io.sheaf.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamesTest {
    @Test
    void numbersNamesLikeAMap() {
        Names names = new Names(1);
        Map<String, Integer> expected = new HashMap<>();
        RandomStream random = new RandomStream(3);
        for (int i = 0; i < 50_000; i++) {
            String name = "n" + random.nextInt(20_000);
            assertThat(names.find(name)).isEqualTo(expected.getOrDefault(name, -1));
            expected.putIfAbsent(name, expected.size());
            assertThat(names.number(name)).isEqualTo(expected.get(name));
        }
        assertThat(names.size()).isEqualTo(expected.size());
        Names copy = new Names(names);
        copy.number("new");
        assertThat(names.find("new")).isEqualTo(-1);
        expected.forEach((name, number) -> assertThat(copy.name(number)).isEqualTo(name));
    }

    /** Strings whose Java hash codes are all equal must not make the table slow. */
    @Test
    void collidingHashCodesDoNotSlowTheTable() {
        Names names = new Names(16);
        for (int i = 0; i < 1 << 16; i++) {
            StringBuilder name = new StringBuilder();
            for (int bit = 0; bit < 16; bit++) {
                name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            assertThat(names.number(name.toString())).isEqualTo(i);
        }
    }
}
