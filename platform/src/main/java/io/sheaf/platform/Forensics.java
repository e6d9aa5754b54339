package io.sheaf.platform;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * Simulation forensics: corrects the expected run times of a run by observed ones.
 *
 * <p>Before candidates are simulated, expected and observed run times of completed computations are compared by category; the expectations
 * of the category's other tasks are scaled by the ratio. Section 5.4 of Casanova et al. (JSSPP 2022) proposes this as future work.
 *
 * @param expected the scenario with the expected run times; null if they are the true ones
 * @param correct whether observations correct them
 */
record Forensics(@Nullable Scenario expected, boolean correct) {
    /** The simulation is the truth: nothing to find out. */
    static final Forensics NONE = new Forensics(null, false);

    /** As in the settings: expected run times are wrong by a factor for each category, of mean 1. */
    static Forensics of(Scenario truth, PortfolioSettings settings) {
        double deviation = settings.misjudged();
        if (deviation == 0) {
            return NONE;
        }
        RandomStream factors = new RandomStream(settings.noiseSeed()).split("misjudged");
        Workflow workflow = truth.workflow();
        double[] believed = truth.seconds.clone();
        for (int task = 0; task < believed.length; task++) {
            RandomStream own = factors.split(workflow.category(task).name());
            believed[task] *= own.lognormal(-deviation * deviation / 2, deviation);
        }
        return new Forensics(truth.withSeconds(believed), settings.forensics());
    }

    /** The present state of a run, with expected instead of true run times from now on. */
    PlatformSimulation believed(PlatformSimulation truth) {
        if (expected == null) {
            return truth;
        }
        return truth.believing(correct ? expected.withSeconds(corrected(expected, truth)) : expected);
    }

    /** The expected run times, scaled in each category by how much longer its tasks took so far. */
    static double[] corrected(Scenario expected, PlatformSimulation truth) {
        Workflow workflow = expected.workflow();
        int categories = workflow.categories().size();
        double[] hoped = new double[categories];
        double[] seen = new double[categories];
        double[] seconds = expected.seconds.clone();
        for (int task = 0; task < seconds.length; task++) {
            if (truth.execution().computed(task) >= 0) {
                hoped[workflow.categoryNumber(task)] += expected.seconds[task];
                // Amdahl's law holds for both, so the ratio of the times on one core is that of the times seen.
                seen[workflow.categoryNumber(task)] += truth.scenario().seconds[task];
                seconds[task] = truth.scenario().seconds[task];
            }
        }
        for (int task = 0; task < seconds.length; task++) {
            int category = workflow.categoryNumber(task);
            if (!(truth.execution().computed(task) >= 0) && hoped[category] > 0) {
                seconds[task] *= seen[category] / hoped[category];
            }
        }
        return seconds;
    }
}
