package io.sheaf.runtime.run;

import io.sheaf.runtime.control.ControlFolder;
import java.nio.file.Path;

/**
 * A thread that watches for requests of other commands to an active run: cancel, resume, or read the inbox. It ends
 * the loop when the run's folder has been removed or replaced.
 */
final class RequestWatch {
    private static final long LOOK_MILLIS = 300;

    /** The number of polls between two checks of the run's folder. */
    private static final int PLACE_LOOKS = 50;

    /** The number of consecutive checks that must find the folder removed. */
    private static final int SURELY = 2;

    private final Requests requests;
    private final ControlFolder control;
    private final RunLoop turning;
    private final RunPlace place;
    private int looks;
    private int gone;
    private final Thread thread = new Thread(this::keepLooking, "requests");

    private RequestWatch(Path folder, RunLoop turning, RunPlace place) {
        requests = new Requests(folder);
        control = new ControlFolder(folder);
        this.turning = turning;
        this.place = place;
    }

    /** Starts the thread; requests made before are handled when this returns. */
    static RequestWatch start(Path folder, RunLoop turning, RunPlace place) {
        RequestWatch watch = new RequestWatch(folder, turning, place);
        watch.look();
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** Stops the thread and waits for its end. */
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
            // The run has ended.
            return;
        }
    }

    private void look() {
        if (place.isReplaced()) {
            // The requests in the folder are those of another run.
            turning.interrupt();
            return;
        }
        if (!control.isEmpty()) {
            turning.wake();
        }
        if (requests.isCancelWanted()) {
            turning.cancel();
        }
        if (requests.takeResume()) {
            turning.resume();
        }
        if (++looks % PLACE_LOOKS == 0) {
            gone = place.isGone() ? gone + 1 : 0;
            if (gone == SURELY) {
                turning.interrupt();
            }
        }
    }
}
