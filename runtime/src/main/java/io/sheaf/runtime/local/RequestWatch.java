package io.sheaf.runtime.local;

import io.sheaf.runtime.RunLoop;
import io.sheaf.runtime.inbox.WishFolder;
import java.nio.file.Path;

/** A thread that looks what other commands ask of a run while it turns: to cancel, to resume, or to look into its inbox. */
final class RequestWatch {
    private static final long LOOK_MILLIS = 300;

    private final Requests requests;
    private final WishFolder wishes;
    private final RunLoop turning;
    private final Thread thread = new Thread(this::keepLooking, "requests");

    private RequestWatch(Path folder, RunLoop turning) {
        requests = new Requests(folder);
        wishes = new WishFolder(folder);
        this.turning = turning;
    }

    /** What was asked before this is known when it returns. */
    static RequestWatch start(Path folder, RunLoop turning) {
        RequestWatch watch = new RequestWatch(folder, turning);
        watch.look();
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** Once it returns nothing is looked at any more. */
    void stop() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }

    private void keepLooking() {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                look();
            }
        } catch (InterruptedException e) {
            // The run is over.
            return;
        }
    }

    private void look() {
        if (!wishes.isEmpty()) {
            turning.wake();
        }
        if (requests.isCancelWanted()) {
            turning.cancel();
        }
        if (requests.takeResume()) {
            turning.resume();
        }
    }
}
