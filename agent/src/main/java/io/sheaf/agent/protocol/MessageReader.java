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

/** Reads a message that {@link MessageWriter} wrote. */
final class MessageReader {
    private static final int OUTPUT_BYTES = Integer.BYTES + 2 * Long.BYTES;

    private final WireIn in;

    MessageReader(WireIn in) {
        this.in = in;
    }

    Message read() throws MalformedFrameException {
        MessageType type = MessageType.of(in.get());
        try {
            Message message = read(type);
            in.end();
            return message;
        } catch (IllegalArgumentException e) {
            // The records check their own values.
            throw new MalformedFrameException("a frame makes no sense: " + e.getMessage());
        }
    }

    private Message read(MessageType type) throws MalformedFrameException {
        return switch (type) {
            case HELLO -> hello();
            case START -> new Start(in.getAttempt(), work(), needs(), files());
            case RUNNING -> new Running(in.getAttempt(), in.getLong(), in.getLong());
            case ENDED -> ended();
            case ACK -> new Ack(in.getAttempts());
            case KILL -> new Kill(in.getAttempt());
            case STOP -> new Stop(in.getInt(), in.getText());
            case REMAINING -> new Remaining(in.getLong());
            case BYE -> new Bye(in.getText());
            case HEARTBEAT -> new Heartbeat();
        };
    }

    private Hello hello() throws MalformedFrameException {
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

    private Work work() throws MalformedFrameException {
        String name = in.getText();
        List<String> argv = in.getTexts();
        List<String> setup = in.getTexts();
        List<String> container = in.getTexts();
        Map<String, String> environment = in.getTextsByName();
        return new Work(name, argv, setup, container, environment);
    }

    private Needs needs() throws MalformedFrameException {
        return new Needs(in.getInt(), in.getLong(), in.getInt(), in.getLong(), in.getTexts(), in.getInt(), in.getInt());
    }

    private TaskFiles files() throws MalformedFrameException {
        return new TaskFiles(
                in.getText(),
                FileMode.of(in.get()),
                in.getTexts(),
                in.getTexts(),
                in.getText(),
                in.getText(),
                in.getInt());
    }

    private Ended ended() throws MalformedFrameException {
        AttemptId attempt = in.getAttempt();
        Outcome outcome = Outcome.of(in.get());
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
