package io.sheaf.manager;

import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;

/** The free amounts of named resources that a whole run shares, such as licences. */
final class RunLimits {
    private final NamedAmounts limits;
    private final long[] free;

    RunLimits(NamedAmounts limits) {
        this(limits, limits.amounts());
    }

    private RunLimits(NamedAmounts limits, long[] free) {
        this.limits = limits;
        this.free = free;
    }

    RunLimits fork() {
        return new RunLimits(limits, free.clone());
    }

    /** Whether an attempt's needs on all its nodes are free. */
    boolean has(Resources needed) {
        NamedAmounts named = needed.named();
        for (int i = 0; i < named.size(); i++) {
            int limit = limits.index(named.name(i));
            if (limit >= 0 && free[limit] < named.amount(i) * needed.nodes()) {
                return false;
            }
        }
        return true;
    }

    void allocate(Resources needed) {
        count(needed, 1);
    }

    void free(Resources needed) {
        count(needed, -1);
    }

    private void count(Resources needed, int sign) {
        NamedAmounts named = needed.named();
        for (int i = 0; i < named.size(); i++) {
            int limit = limits.index(named.name(i));
            if (limit >= 0) {
                free[limit] -= sign * named.amount(i) * needed.nodes();
            }
        }
    }
}
