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

/** The number by which a kind of message is written; never changed. */
enum MessageType {
    HELLO(1, Hello.class),
    START(2, Start.class),
    RUNNING(3, Running.class),
    ENDED(4, Ended.class),
    ACK(5, Ack.class),
    KILL(6, Kill.class),
    STOP(7, Stop.class),
    REMAINING(8, Remaining.class),
    BYE(9, Bye.class),
    HEARTBEAT(10, Heartbeat.class);

    private static final MessageType[] ALL = values();

    private final int code;
    private final Class<? extends Message> kind;

    MessageType(int code, Class<? extends Message> kind) {
        this.code = code;
        this.kind = kind;
    }

    int code() {
        return code;
    }

    static MessageType of(Message message) {
        for (MessageType type : ALL) {
            if (type.kind == message.getClass()) {
                return type;
            }
        }
        throw new IllegalArgumentException("a message of an unknown kind: " + message);
    }

    static MessageType of(int code) throws MalformedFrameException {
        for (MessageType type : ALL) {
            if (type.code == code) {
                return type;
            }
        }
        throw new MalformedFrameException("a message of kind " + code);
    }
}
