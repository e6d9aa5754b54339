package io.sheaf.app.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.Quantiles;
import io.sheaf.runtime.batch.WhatIf;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvaluationOnSiteTest {
    /**
     * Of 20 jobs with a predicted wait of 100 s (50 to 150, 90 to 110), ten waited 100 s, five 60 s, and five 200 s.
     * The engine estimated 120 s, the plan 90 s.
     */
    @Test
    void coverageAndErrorsAreComputedFromTheJobs() {
        List<WhatIf.EvaluatedJob> started = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            long waited = i < 10 ? 100_000 : i < 15 ? 60_000 : 200_000;
            long planned = i % 2 == 0 ? 90_000 : WhatIf.UNKNOWN;
            Quantiles predicted = new Quantiles(50_000, 90_000, 100_000, 110_000, 150_000);
            started.add(new WhatIf.EvaluatedJob("1", 2, 1_000_000L * i, waited, 120_000, planned, predicted));
        }
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        new EvaluationOnSite(new WhatIf.Evaluation(0, 3, started, List.of())).print(out);
        out.flush();
        // Errors from 100 s: ten of 0 s, five of 40 s, five of 100 s; from 120 s: 20, 60 and 80 s.
        assertThat(text.toString())
                .startsWith("20 jobs started over 5.3 h, 3 still queued")
                .containsPattern("corrected +20 +75\\.0 % +50\\.0 % +1\\.7 min +20\\.0 s")
                .containsPattern("engine +20 +- +- +- +40\\.0 s")
                .containsPattern("planned +10 +- ")
                .doesNotContain("not enough data");
    }
}
