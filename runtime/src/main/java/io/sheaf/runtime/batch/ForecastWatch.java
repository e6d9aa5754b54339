package io.sheaf.runtime.batch;

import java.util.function.Consumer;

/** Reports when start-time estimates are missing because queries of the queue fail, and when there are estimates again; once each. */
final class ForecastWatch {
    private final QueueForecast forecast;
    private final String title;
    private final Consumer<String> messages;
    private boolean reported;

    /** Watches the forecast of a batch system with a title. */
    ForecastWatch(QueueForecast forecast, String title, Consumer<String> messages) {
        this.forecast = forecast;
        this.title = title;
        this.messages = messages;
    }

    void turn(long now) {
        String failure = forecast.failure(now);
        if (failure != null && !reported) {
            messages.accept("the queue of " + title + " cannot be read (" + failure
                    + "); the run continues without start-time estimates, and Sheaf retries");
        } else if (failure == null && reported) {
            messages.accept("the queue of " + title + " can be read again");
        }
        reported = failure != null;
    }
}
