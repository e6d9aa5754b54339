package io.sheaf.platform;

/**
 * Transfers in chunks with control messages, as in the published data.
 *
 * <p>A read is a request, an answer, and the chunks, of which the next is read from disk while one is sent; then a notice at the storage's
 * host and an acknowledgement. A write is a request, an answer, and the chunks, of which the next is sent while one is written to disk;
 * then notice and acknowledgement.
 */
final class ChunkedTransfers extends Transfers {
    static final double CHUNK = 10 << 20;
    static final double MESSAGE = 1024;

    private static final int READ_REQUESTED = 0;
    private static final int READ_ANSWERED = 1;
    private static final int READ_FROM_DISK = 2;
    private static final int READ_CHUNK = 3;
    private static final int WRITE_REQUESTED = 4;
    private static final int WRITE_ANSWERED = 5;
    private static final int WRITE_CHUNK = 6;
    /** Distinguished by the task's state: a chunk written, a notice, an acknowledgement. */
    private static final int OTHER = 7;

    private static final int ANSWERED = 1;
    /** Reading: a chunk read from disk waits. Writing: a chunk that arrived waits. */
    private static final int HELD = 2;
    /** Reading: a chunk is on its way. Writing: a chunk is being written. */
    private static final int BUSY = 4;

    private static final int WRITING_TO_DISK = 8;
    private static final int NOTICE = 16;

    private final PlatformSimulation simulation;
    private final Kernel kernel;
    private final Services services;
    private final Scenario scenario;
    private final int[] state;
    private final byte[] place;
    /** Bytes that the first stage (disk, or the node that sends) has not begun with. */
    private final double[] remaining;
    /** Bytes of the chunk on its way, and of the one that waits. */
    private final double[] moving;

    private final double[] held;

    ChunkedTransfers(PlatformSimulation simulation) {
        this.simulation = simulation;
        kernel = simulation.kernel;
        services = simulation.services;
        scenario = simulation.scenario();
        int size = scenario.size();
        state = new int[size];
        place = new byte[size];
        remaining = new double[size];
        moving = new double[size];
        held = new double[size];
    }

    private int route(int task) {
        return kernel.routes.from(place[task], simulation.clusterOf(task));
    }

    @Override
    void read(int task, int file, int from) {
        state[task] = 0;
        place[task] = (byte) from;
        remaining[task] = Math.max(1, scenario.bytes[file]);
        sendRequest(task, READ_REQUESTED);
    }

    @Override
    void write(int task, int file) {
        state[task] = 0;
        place[task] = (byte) simulation.clusterOf(task);
        remaining[task] = scenario.bytes[file];
        sendRequest(task, WRITE_REQUESTED);
    }

    private void sendRequest(int task, int kind) {
        services.send(services.storing(place[task]), route(task), MESSAGE, EventToken.of(kind, task));
    }

    @Override
    boolean on(int kind, int task) {
        switch (kind) {
            case READ_REQUESTED -> {
                kernel.send(route(task), MESSAGE, EventToken.of(READ_ANSWERED, task));
                readFromDisk(task);
            }
            case READ_ANSWERED -> {
                state[task] |= ANSWERED;
                if ((state[task] & BUSY) != 0) {
                    kernel.send(route(task), moving[task], EventToken.of(READ_CHUNK, task));
                }
            }
            case READ_FROM_DISK -> {
                state[task] |= HELD;
                if ((state[task] & BUSY) == 0) {
                    post(task);
                }
            }
            case READ_CHUNK -> received(task);
            case WRITE_REQUESTED -> kernel.send(route(task), MESSAGE, EventToken.of(WRITE_ANSWERED, task));
            case WRITE_ANSWERED -> sendToStorage(task);
            case WRITE_CHUNK -> arrived(task);
            default -> {
                return other(task);
            }
        }
        return false;
    }

    // --- reading ---

    private void readFromDisk(int task) {
        double chunk = Math.min(CHUNK, remaining[task]);
        remaining[task] -= chunk;
        held[task] = chunk;
        kernel.disk(place[task], chunk, EventToken.of(READ_FROM_DISK, task));
    }

    /** The sender offers the chunk that it holds and turns to the disk again; the bytes flow once the node has its answer. */
    private void post(int task) {
        state[task] = (state[task] & ~HELD) | BUSY;
        moving[task] = held[task];
        held[task] = 0;
        if ((state[task] & ANSWERED) != 0) {
            kernel.send(route(task), moving[task], EventToken.of(READ_CHUNK, task));
        }
        if (remaining[task] > 0) {
            readFromDisk(task);
        }
    }

    private void received(int task) {
        state[task] &= ~BUSY;
        if ((state[task] & HELD) != 0) {
            post(task);
        } else if (remaining[task] <= 0 && held[task] <= 0) {
            finish(task);
        }
    }

    // --- writing ---

    private void sendToStorage(int task) {
        double chunk = Math.min(CHUNK, remaining[task]);
        remaining[task] -= chunk;
        moving[task] = chunk;
        kernel.send(route(task), chunk, EventToken.of(WRITE_CHUNK, task));
    }

    private void arrived(int task) {
        if ((state[task] & BUSY) != 0) {
            state[task] |= HELD;
        } else {
            writeToDisk(task);
        }
    }

    private void writeToDisk(int task) {
        state[task] = (state[task] & ~HELD) | BUSY | WRITING_TO_DISK;
        kernel.disk(place[task], moving[task], EventToken.of(OTHER, task));
        moving[task] = 0;
        if (remaining[task] > 0) {
            sendToStorage(task);
        }
    }

    private boolean other(int task) {
        if ((state[task] & WRITING_TO_DISK) != 0) {
            state[task] &= ~(BUSY | WRITING_TO_DISK);
            if ((state[task] & HELD) != 0) {
                writeToDisk(task);
            } else if (remaining[task] <= 0 && moving[task] <= 0) {
                finish(task);
            }
            return false;
        }
        if ((state[task] & NOTICE) != 0) {
            state[task] &= ~NOTICE;
            kernel.send(route(task), 0, EventToken.of(OTHER, task));
            return false;
        }
        return true;
    }

    /** The thread that moved the file notifies its storage service, on the same host, which then notifies the task. */
    private void finish(int task) {
        state[task] = NOTICE;
        int clusters = scenario.platform().clusters().size();
        int service = services.storing(place[task]);
        if (place[task] == clusters) {
            services.sendAtOnce(service, EventToken.of(OTHER, task));
        } else {
            services.send(service, kernel.routes.inside(place[task]), 0, EventToken.of(OTHER, task));
        }
    }

    @Override
    void copy(Transfers other) {
        ChunkedTransfers target = (ChunkedTransfers) other;
        System.arraycopy(target.state, 0, state, 0, state.length);
        System.arraycopy(target.place, 0, place, 0, place.length);
        System.arraycopy(target.remaining, 0, remaining, 0, remaining.length);
        System.arraycopy(target.moving, 0, moving, 0, moving.length);
        System.arraycopy(target.held, 0, held, 0, held.length);
    }
}
