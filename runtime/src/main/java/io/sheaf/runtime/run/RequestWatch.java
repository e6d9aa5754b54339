package io.sheaf.runtime.run;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.runtime.control.ControlFolder;
import java.nio.file.Path;

/**
 * A thread that watches for requests of other commands to an active run: cancel, resume, or read the inbox. It ends
 * the loop when the run's folder has been removed or replaced.
 */
final class RequestWatch {
    private static final long POLL_MILLIS = 300;

    /** The number of polls between two checks of the run's folder. */
    private static final int FOLDER_CHECK_POLLS = 50;

    /** The number of consecutive checks that must find the folder removed. */
    private static final int CONFIRMATIONS = 2;

    private final Requests requests;
    private final ControlFolder control;
    private final RunLoop loop;
    private final RunPlace place;
    private int polls;
    private int missing;
    private final Thread thread;

    /** Starts the thread; requests made before are handled when this returns. */
    RequestWatch(Path folder, RunLoop loop, RunPlace place) {
        requests = new Requests(folder);
        control = new ControlFolder(folder);
        this.loop = loop;
        this.place = place;
        poll();
        thread = DaemonThread.start("requests", () -> {
            while (true) {
                Thread.sleep(POLL_MILLIS);
                poll();
            }
        });
    }

    /** Stops the thread and waits for its end. */
    void stop() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }

    private void poll() {
        if (place.isReplaced()) {
            // The requests in the folder are those of another run.
            loop.interrupt();
            return;
        }
        if (!control.isEmpty()) {
            loop.wake();
        }
        if (requests.isCancelRequested()) {
            loop.cancel();
        }
        if (requests.takeResume()) {
            loop.resume();
        }
        if (++polls % FOLDER_CHECK_POLLS == 0) {
            missing = place.isRemoved() ? missing + 1 : 0;
            if (missing == CONFIRMATIONS) {
                loop.interrupt();
            }
        }
    }
}
