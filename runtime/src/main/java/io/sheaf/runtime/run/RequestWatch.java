package io.sheaf.runtime.run;

import io.sheaf.runtime.control.ControlFolder;
import java.nio.file.Path;

/**
 * A thread that looks what other commands ask of a run while it turns: to cancel, to resume, or to look into its inbox; and whether it is still there at
 * all: if not, the loop is ended.
 */
final class RequestWatch {
    private static final long LOOK_MILLIS = 300;

    /** Every so many looks it is seen whether the run is there. */
    private static final int PLACE_LOOKS = 50;

    /** So often in a row it must be found gone. */
    private static final int SURELY = 2;

    private final Requests requests;
    private final ControlFolder wishes;
    private final RunLoop turning;
    private final RunPlace place;
    private int looks;
    private int gone;
    private final Thread thread = new Thread(this::keepLooking, "requests");

    private RequestWatch(Path folder, RunLoop turning, RunPlace place) {
        requests = new Requests(folder);
        wishes = new ControlFolder(folder);
        this.turning = turning;
        this.place = place;
    }

    /** What was asked before this is known when it returns. */
    static RequestWatch start(Path folder, RunLoop turning, RunPlace place) {
        RequestWatch watch = new RequestWatch(folder, turning, place);
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
        if (++looks % PLACE_LOOKS == 0) {
            gone = place.isGone() ? gone + 1 : 0;
            if (gone == SURELY) {
                turning.interrupt();
            }
        }
    }
}
