package io.sheaf.app.service;

import io.sheaf.runtime.run.ServiceClient;
import java.io.IOException;
import picocli.CommandLine.Command;

/** The command {@code serve cancel}. */
@Command(
        name = "cancel",
        description = "Cancel workflows of a service: stop their running tasks and skip the rest.",
        footer = {"", "Example: sheaf serve cancel montage-mini-t4k2x9ab1c"})
final class ServeCancelCommand extends ServeChangeCommand {
    @Override
    void ask(ServiceClient service, String id) throws IOException {
        service.drop(id);
    }
}
