package io.sheaf.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InputExceptionTest {
    @Test
    void messagesContainTheProblemAndItsPlace() {
        InputException problem = new InputException("no such task", Place.of(12, 5));
        assertThat(problem).hasMessage("line 12:5: no such task");
        assertThat(problem.in("a.dag")).hasMessage("a.dag:12:5: no such task");
        assertThat(problem.in("a.dag").in("b.dag")).hasMessage("a.dag:12:5: no such task");
        assertThat(new InputException("is empty").in("a.dag")).hasMessage("a.dag: is empty");
        assertThat(new InputException("x", Place.of(3, 0)).in("f")).hasMessage("f:3: x");
        assertThat(new InputException("x").at(Place.of(4, 1)).at(Place.of(9, 9)))
                .hasMessage("line 4:1: x");
    }

    @Test
    void problemsAreOneLineOfLimitedLength() {
        String shown = new InputException("a\nb\u001b[31m" + "x".repeat(5_000)).problem();
        assertThat(shown).startsWith("a b [31mxxx").hasSize(2_002).endsWith(" …");
    }

    @Test
    void placesAreExactUpToTheirLimits() {
        long place = Place.of(1_000_000_000, 1 << 23);
        assertThat(Place.line(place)).isEqualTo(1_000_000_000);
        assertThat(Place.column(place)).isEqualTo(1 << 23);
        assertThat(Place.column(Place.of(1, 1L << 40))).isEqualTo((1 << 24) - 1);
        assertThat(Place.text(Place.NONE)).isEmpty();
    }

    @Test
    void nearestFindsMisspelledNames() {
        List<String> known = List.of("strategy", "time", "timeout", "nodes");
        assertThat(Nearest.to("stratgey", known)).isEqualTo("strategy");
        assertThat(Nearest.to("tiem", known)).isEqualTo("time");
        assertThat(Nearest.to("NODES", known)).isEqualTo("nodes");
        assertThat(Nearest.to("banana", known)).isNull();
        assertThat(Nearest.hint("node", known)).isEqualTo(" Did you mean 'nodes'?");
        assertThat(Nearest.hint("banana", known)).isEmpty();
    }
}
