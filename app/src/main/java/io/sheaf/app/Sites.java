package io.sheaf.app;

import io.sheaf.driver.Unforeseen;
import io.sheaf.runtime.local.EmbeddedSite;
import io.sheaf.runtime.local.Site;
import io.sheaf.runtime.local.Where;
import io.sheaf.slurm.SlurmSite;
import io.sheaf.slurm.whatif.ForetoldSite;
import io.sheaf.text.InputException;
import java.util.List;

/** The batch systems that runs can be on. */
final class Sites {
    static final List<String> NAMES = List.of(Where.LOCAL.system(), SlurmSite.NAME);

    private Sites() {}

    /** The one that a run is on. */
    static Site of(Where where, Session session, ChargeOptions charge) {
        if (where.equals(Where.LOCAL)) {
            return new EmbeddedSite();
        }
        if (where.system().equals(SlurmSite.NAME)) {
            return new ForetoldSite(slurm(session, charge));
        }
        throw new InputException("the run is on '" + where.system() + "', which this Sheaf does not know");
    }

    static SlurmSite slurm(Session session, ChargeOptions charge) {
        return new SlurmSite(session.environment(), charge.interval(), new Unforeseen());
    }
}
