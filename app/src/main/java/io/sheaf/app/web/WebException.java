package io.sheaf.app.web;

/** A request error: its status, and one line with the problem and the fix. */
public final class WebException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    public WebException(int status, String line) {
        super(line, null, false, false);
        this.status = status;
    }

    public int status() {
        return status;
    }

    public static WebException notFound(String subject) {
        return new WebException(404, subject);
    }
}
