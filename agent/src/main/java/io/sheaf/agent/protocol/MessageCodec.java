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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes a message as the number of its kind and its components in order, and reads it. */
final class MessageCodec {
    // The numbers by which kinds of messages are written; never changed.
    private static final int HELLO = 1;
    private static final int START = 2;
    private static final int RUNNING = 3;
    private static final int ENDED = 4;
    private static final int ACK = 5;
    private static final int KILL = 6;
    private static final int STOP = 7;
    private static final int REMAINING = 8;
    private static final int BYE = 9;
    static final int HEARTBEAT = 10;

    private static final int OUTPUT_BYTES = Integer.BYTES + 2 * Long.BYTES;

    private MessageCodec() {}

    static void write(Message message, WireOut out) {
        if (message instanceof Hello hello) {
            out.write(HELLO);
            write(hello, out);
        } else if (message instanceof Start start) {
            out.write(START);
            write(start, out);
        } else if (message instanceof Running running) {
            out.write(RUNNING);
            out.putAttempt(running.attempt());
            out.putLong(running.pid());
            out.putLong(running.startMillis());
        } else if (message instanceof Ended ended) {
            out.write(ENDED);
            write(ended, out);
        } else if (message instanceof Ack ack) {
            out.write(ACK);
            out.putAttempts(ack.attempts());
        } else if (message instanceof Kill kill) {
            out.write(KILL);
            out.putAttempt(kill.attempt());
        } else if (message instanceof Stop stop) {
            out.write(STOP);
            out.putInt(stop.graceMillis());
            out.putText(stop.reason());
        } else if (message instanceof Remaining remaining) {
            out.write(REMAINING);
            out.putLong(remaining.millis());
        } else if (message instanceof Bye bye) {
            out.write(BYE);
            out.putText(bye.reason());
        } else if (message instanceof Heartbeat) {
            out.write(HEARTBEAT);
        } else {
            throw new IllegalArgumentException("a message of an unknown kind: " + message);
        }
    }

    private static void write(Hello hello, WireOut out) {
        out.putLong(hello.agent().token());
        out.putInt(hello.agent().node());
        out.putText(hello.host());
        out.putLong(hello.pid());
        out.putInt(hello.cores());
        out.putLong(hello.memoryBytes());
        out.putInt(hello.gpus());
        out.putAttempts(hello.known());
        out.write(hello.stopping() ? 1 : 0);
    }

    private static void write(Start start, WireOut out) {
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
        out.write(files.isolated() ? 1 : 0);
        out.putTexts(files.inputs());
        out.putTexts(files.outputs());
        out.putText(files.out());
        out.putText(files.err());
        out.putInt(files.outputTimeoutMillis());
    }

    private static void write(Ended ended, WireOut out) {
        out.putAttempt(ended.attempt());
        out.write(ended.outcome().code());
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

    static Message read(WireIn in) throws MalformedFrameException {
        int kind = in.get();
        try {
            Message message = read(kind, in);
            in.end();
            return message;
        } catch (IllegalArgumentException e) {
            // The records check their own values.
            throw new MalformedFrameException("a frame makes no sense: " + e.getMessage());
        }
    }

    private static Message read(int kind, WireIn in) throws MalformedFrameException {
        return switch (kind) {
            case HELLO -> hello(in);
            case START -> new Start(in.getAttempt(), work(in), needs(in), files(in));
            case RUNNING -> new Running(in.getAttempt(), in.getLong(), in.getLong());
            case ENDED -> ended(in);
            case ACK -> new Ack(in.getAttempts());
            case KILL -> new Kill(in.getAttempt());
            case STOP -> new Stop(in.getInt(), in.getText());
            case REMAINING -> new Remaining(in.getLong());
            case BYE -> new Bye(in.getText());
            case HEARTBEAT -> new Heartbeat();
            default -> throw new MalformedFrameException("a message of kind " + kind);
        };
    }

    private static Hello hello(WireIn in) throws MalformedFrameException {
        AgentId agent = new AgentId(in.getLong(), in.getInt());
        return new Hello(
                agent,
                in.getText(),
                in.getLong(),
                in.getInt(),
                in.getLong(),
                in.getInt(),
                in.getAttempts(),
                in.getBoolean());
    }

    private static Work work(WireIn in) throws MalformedFrameException {
        String name = in.getText();
        List<String> argv = in.getTexts();
        List<String> setup = in.getTexts();
        List<String> container = in.getTexts();
        Map<String, String> environment = in.getTextsByName();
        return new Work(name, argv, setup, container, environment);
    }

    private static Needs needs(WireIn in) throws MalformedFrameException {
        return new Needs(in.getInt(), in.getLong(), in.getInt(), in.getLong(), in.getTexts(), in.getInt(), in.getInt());
    }

    private static TaskFiles files(WireIn in) throws MalformedFrameException {
        return new TaskFiles(
                in.getText(), in.getBoolean(), in.getTexts(), in.getTexts(), in.getText(), in.getText(), in.getInt());
    }

    private static Ended ended(WireIn in) throws MalformedFrameException {
        AttemptId attempt = in.getAttempt();
        AttemptOutcome outcome = AttemptOutcome.of(in.get());
        int exitStatus = in.getInt();
        String reason = in.getText();
        long startMillis = in.getLong();
        long runMillis = in.getLong();
        long peakMemory = in.getLong();
        long cpuMillis = in.getLong();
        int count = in.count(OUTPUT_BYTES);
        List<Output> outputs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            outputs.add(new Output(in.getText(), in.getLong(), in.getLong()));
        }
        List<String> lastLines = in.getTexts();
        // Journals of earlier versions have results without these.
        long read = in.isAtEnd() ? Usage.UNKNOWN : in.getLong();
        long written = in.isAtEnd() ? Usage.UNKNOWN : in.getLong();
        Usage usage = new Usage(startMillis, runMillis, peakMemory, cpuMillis, read, written);
        return new Ended(attempt, outcome, exitStatus, reason, usage, outputs, lastLines);
    }
}
