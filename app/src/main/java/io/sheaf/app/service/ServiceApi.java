package io.sheaf.app.service;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.page.Page;
import io.sheaf.app.web.HttpRequest;
import io.sheaf.app.web.Reply;
import io.sheaf.app.web.Routes;
import io.sheaf.app.web.WebException;
import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.registry.Formats;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.run.ServiceClient;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * The API of a service under {@code /api}: submit, list, pause, resume and cancel workflows, and drain the service.
 *
 * <p>Requests go through the service's inbox, as with the commands. The reply is 202 once a request is durable there.
 *
 * @param roster the current workflows
 * @param site the cluster that runs tasks
 * @param wake makes the service read its inbox
 */
public record ServiceApi(ServiceClient submissions, Supplier<Roster> roster, ClusterAccess site, Runnable wake) {
    private static final int ACCEPTED = 202;

    /** The maximum memory for reading a workflow, enough for the service's task limit. */
    private static final long MAX_MEMORY = 256L << 20;

    public Routes routes() {
        return new Routes()
                .on(
                        "GET",
                        "/api/service/openapi.yaml",
                        request -> Reply.text(Page.resource(ServiceApi.class, "openapi.yaml")))
                .on("GET", "/api/workflows", request -> Reply.json(JsonOut.line(roster.get()::fields)))
                .on("POST", "/api/workflows", this::submit)
                .on("GET", "/api/workflows/{id}", this::show)
                .on("POST", "/api/workflows/{id}/pause", request -> change(request, "pause"))
                .on("POST", "/api/workflows/{id}/resume", request -> change(request, "resume"))
                .on("POST", "/api/workflows/{id}/cancel", request -> change(request, "cancel"))
                .on("POST", "/api/drain", request -> drain());
    }

    private Reply submit(HttpRequest request) throws IOException {
        if (!roster.get().open()) {
            throw new WebException(409, "the service accepts no more workflows: it is being drained");
        }
        if (request.body().isBlank()) {
            throw new WebException(400, "send the workflow as the body of the request, in any format that Sheaf reads");
        }
        try {
            Workflow workflow = read(request);
            String owner = request.query("owner");
            String id = submissions.submit(
                    workflow,
                    owner == null ? System.getProperty("user.name") : owner,
                    (int) request.number("priority", Integer.MIN_VALUE, Integer.MAX_VALUE, 0),
                    folder(request),
                    site);
            wake.run();
            return Reply.json(ACCEPTED, JsonOut.line(out -> out.field("id", id).field("tasks", workflow.size())));
        } catch (InputException e) {
            throw new WebException(400, e.getMessage());
        }
    }

    /** Reads one workflow at a time, since large ones need much memory. */
    private synchronized Workflow read(HttpRequest request) throws IOException {
        Source source = Source.of("workflow", request.body().getBytes(StandardCharsets.UTF_8))
                .within(MAX_MEMORY);
        String format = request.query("format");
        WorkflowReader reader = format == null ? Formats.readerFor(source) : Formats.reader(format);
        return reader.read(source, reader.fileEdgesByDefault());
    }

    private static Path folder(HttpRequest request) {
        String name = request.query("folder");
        try {
            Path folder = name == null ? null : Path.of(name);
            if (folder != null && folder.isAbsolute() && Files.isDirectory(folder)) {
                return folder;
            }
        } catch (InvalidPathException e) {
            // Reported below.
        }
        throw new WebException(400, "folder: give the absolute path of an existing folder to run the tasks in");
    }

    private Roster.RosterEntry entry(HttpRequest request) {
        Roster.RosterEntry entry = roster.get().find(request.path("id"));
        if (entry == null) {
            throw WebException.notFound(
                    "no such workflow: '" + request.path("id") + "'; it may not have been read yet, or be archived");
        }
        return entry;
    }

    private Reply show(HttpRequest request) {
        Roster.RosterEntry entry = entry(request);
        return Reply.json(JsonOut.line(out -> roster.get().fields(out, entry)));
    }

    private Reply change(HttpRequest request, String operation) throws IOException {
        String id = request.path("id");
        // Submissions in the inbox take effect before this request.
        Roster.RosterEntry entry = submissions.isWaiting(id) ? null : entry(request);
        if (entry != null && entry.isFinished()) {
            throw new WebException(409, "workflow '" + id + "' has already ended: " + entry.state());
        }
        if (operation.equals("cancel")) {
            submissions.drop(id);
        } else {
            submissions.hold(id, operation.equals("pause"));
        }
        return accepted(id, operation);
    }

    private Reply drain() throws IOException {
        submissions.drain();
        return accepted("", "drain");
    }

    private Reply accepted(String id, String operation) {
        wake.run();
        return Reply.json(ACCEPTED, JsonOut.line(out -> out.optional("id", id).field("asked", operation)));
    }
}
