package io.sheaf.agent.protocol;

import io.sheaf.agent.protocol.Message.Ack;
import io.sheaf.agent.protocol.Message.Bye;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Heartbeat;
import io.sheaf.agent.protocol.Message.Hello;
import io.sheaf.agent.protocol.Message.Kill;
import io.sheaf.agent.protocol.Message.Remaining;
import io.sheaf.agent.protocol.Message.Running;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Message.Stop;

/** Writes a message as its type and its components in order. What is written here is read by {@link MessageReader}. */
final class MessageWriter {
    private final WireOut out;

    MessageWriter(WireOut out) {
        this.out = out;
    }

    void write(Message message) {
        out.put(MessageType.of(message).code());
        if (message instanceof Hello hello) {
            write(hello);
        } else if (message instanceof Start start) {
            write(start);
        } else if (message instanceof Running running) {
            out.putAttempt(running.attempt());
            out.putLong(running.pid());
            out.putLong(running.startMillis());
        } else if (message instanceof Ended ended) {
            write(ended);
        } else if (message instanceof Ack ack) {
            out.putAttempts(ack.attempts());
        } else if (message instanceof Kill kill) {
            out.putAttempt(kill.attempt());
        } else if (message instanceof Stop stop) {
            out.putInt(stop.graceMillis());
            out.putText(stop.reason());
        } else if (message instanceof Remaining remaining) {
            out.putLong(remaining.millis());
        } else if (message instanceof Bye bye) {
            out.putText(bye.reason());
        } else if (!(message instanceof Heartbeat)) {
            throw new IllegalArgumentException("a message of an unknown kind: " + message);
        }
    }

    private void write(Hello hello) {
        out.putLong(hello.agent().token());
        out.putInt(hello.agent().node());
        out.putText(hello.host());
        out.putLong(hello.pid());
        out.putInt(hello.cores());
        out.putLong(hello.memoryBytes());
        out.putInt(hello.gpus());
        out.putAttempts(hello.known());
        out.put(hello.stopping() ? 1 : 0);
    }

    private void write(Start start) {
        out.putAttempt(start.attempt());
        Work work = start.work();
        out.putText(work.name());
        out.putTexts(work.argv());
        out.putTexts(work.setup());
        out.putTexts(work.container());
        out.putTexts(work.environment());
        Needs needs = start.needs();
        out.putInt(needs.cores());
        out.putLong(needs.memoryBytes());
        out.putInt(needs.gpus());
        out.putLong(needs.limitMillis());
        out.putTexts(needs.nodes());
        out.putInt(needs.share());
        out.putInt(needs.sharedCore());
        TaskFiles files = start.files();
        out.putText(files.folder());
        out.put(files.mode().code());
        out.putTexts(files.inputs());
        out.putTexts(files.outputs());
        out.putText(files.out());
        out.putText(files.err());
        out.putInt(files.patienceMillis());
    }

    private void write(Ended ended) {
        out.putAttempt(ended.attempt());
        out.put(ended.outcome().code());
        out.putInt(ended.exitStatus());
        out.putText(ended.reason());
        Usage usage = ended.usage();
        out.putLong(usage.startMillis());
        out.putLong(usage.runMillis());
        out.putLong(usage.peakMemoryBytes());
        out.putLong(usage.cpuMillis());
        out.putInt(ended.outputs().size());
        for (Output output : ended.outputs()) {
            out.putText(output.name());
            out.putLong(output.bytes());
            out.putLong(output.modifiedMillis());
        }
        out.putTexts(ended.lastLines());
        out.putLong(usage.readBytes());
        out.putLong(usage.writtenBytes());
    }
}
