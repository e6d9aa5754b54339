package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.manager.Strategy;
import io.sheaf.text.InputException;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strategies by name. */
class StrategiesTest {
    private static Strategy named(String spec) {
        RunTimes times = new RunTimes(new WorkflowBuilder("none").build(), TaskOrder.BY_NUMBER, 1);
        return Strategies.named(spec, times, Profile.OWN);
    }

    @Test
    void everyNameReturnsAStrategyOfThatName() {
        assertThat(Strategies.NAMES)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(named(name).name()).isEqualTo(name));
        assertThat(named("zhang:form=paper").name()).isEqualTo("hybrid");
    }

    /** The name of a strategy, with its parameters, creates the same strategy. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "auto:lambda=0.0",
                "auto:queued=2,waste=1.5,most=3.0",
                "auto:effort=low",
                "auto:starts=likely",
                "portfolio:of=auto+glume,futures=2,budget=9,margin=0.05,every=2h,effort=full,seed=7",
                "zhang:global=false,sizing=true,bsearch=false",
                "zhang:global=true,sizing=true,bsearch=true,leeway=dependency",
                "glume:beat=0.2",
                "glume:fallback=true,split=vertical,leeway=dependency",
                "bigjob:cores=112",
                "perstage:cores=28",
                "asa:cores=56,estimate=30m",
                "asa:ahead=queued",
                "asa-naive:estimate=1h,hold=true"
            })
    void namesContainTheParameters(String spec) {
        assertThat(named(spec).name()).isEqualTo(spec);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "portfolio:of=auto+portfolio | a portfolio cannot contain a portfolio; remove it from of=",
                "portfolio:of=auto+glum | unknown strategy 'glum'. Did you mean 'glume'? Possible values: auto, portfolio, onejob, onejobpertask, levelbylevel, giant, individual, zhang, hybrid, glume, bigjob, perstage, asa, asa-naive.",
                "portfolio:every=soon | every=soon: 'soon' is not a time; write 90s, 30m, 2h, 1d, 1:30:00 or 1-12:00:00",
                "zhang:form=book | form=book: write thesis or paper",
                "zhang:leeway=none | leeway=none: write time or dependency",
                "zhang:form=paper,global=true | strategy 'zhang' has no parameter 'global'. It has: form.",
                "glume:split=2 | split=2: write levels or vertical",
                "glume:fallback=yes | fallback=yes: write true or false",
                "glume:beat=1 | beat=1: write a number of at least 0 and less than 1",
                "glume:beta=0.1 | strategy 'glume' has no parameter 'beta'. Did you mean 'beat'? It has: beat, fallback, split, leeway.",
                "bigjob:cores=0 | cores=0: write a number of cores from 1 on",
                "bigjob:cores=many | cores=many: write a number of cores from 1 on",
                "asa:estimate=soon | estimate=soon: 'soon' is not a time; write 90s, 30m, 2h, 1d, 1:30:00 or 1-12:00:00",
                "asa:hold=true | strategy 'asa' has no parameter 'hold'. It has: cores, estimate, ahead.",
                "hybrid:x | 'x' after strategy 'hybrid' is not NAME=VALUE",
                "perstage:size=3 | strategy 'perstage' has no parameter 'size'. It has: cores."
            })
    void aWrongParameterIsReportedInOneLine(String spec, String message) {
        assertThatThrownBy(() -> named(spec)).isInstanceOf(InputException.class).hasMessage(message);
    }
}
