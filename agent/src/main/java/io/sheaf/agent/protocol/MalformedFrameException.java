package io.sheaf.agent.protocol;

import java.io.IOException;

/** Bytes that are not a frame of this version of the protocol. */
public final class MalformedFrameException extends IOException {
    private static final long serialVersionUID = 1;

    public MalformedFrameException(String message) {
        super(message);
    }
}
