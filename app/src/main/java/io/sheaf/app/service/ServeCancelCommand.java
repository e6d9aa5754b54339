package io.sheaf.app.service;

import io.sheaf.runtime.run.ServiceClient;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Drops workflows of a service. */
@Command(
        name = "cancel",
        description = "Drops workflows of a service: what runs is stopped, the rest is skipped.",
        footer = {"", "Example: sheaf serve cancel montage-mini-t4k2x9ab1c"})
final class ServeCancelCommand extends ServeChangeCommand {
    @Override
    void ask(ServiceClient service, String id) throws IOException {
        service.drop(id);
    }
}
