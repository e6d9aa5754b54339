package io.sheaf.runtime.run;

import io.sheaf.agent.link.AgentServer;
import io.sheaf.agent.link.ServerSettings;
import java.io.IOException;
import java.net.BindException;
import java.net.UnknownHostException;

/**
 * How a process takes the lease of a run.
 *
 * @param takeOver whether to take it although another process may have it
 * @param listening where agents connect
 */
public record ManagerLease(boolean takeOver, ServerSettings listening) {
    /** Refuses an address or ports on which this process cannot listen; called before a run is created, which would remain unfinished. */
    public void checkAddress() throws IOException {
        try {
            AgentServer.check(listening);
        } catch (BindException | UnknownHostException e) {
            throw ServerLink.unreachable(e);
        }
    }
}
