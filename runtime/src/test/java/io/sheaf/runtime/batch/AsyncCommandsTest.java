package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AsyncCommandsTest {
    private final List<Integer> done = new ArrayList<>();

    private void order(AsyncCommands commands, int number, AsyncCommands.Operation<Integer> operation) {
        commands.order(operation, done::add, failure -> done.add(-number));
    }

    @Test
    void resultsArriveInTheOrderOfTheCommands() throws Exception {
        try (AsyncCommands commands = new AsyncCommands(() -> {})) {
            for (int i = 1; i <= 50; i++) {
                int number = i;
                order(commands, i, () -> number);
            }
            Await.until("all orders are done", () -> {
                commands.drain();
                return done.size() == 50;
            });
            assertThat(done).isSorted();
        }
    }

    @Test
    void aHangingCommandDoesNotBlockLaterOnes() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (AsyncCommands commands = new AsyncCommands(() -> {})) {
            order(commands, 1, () -> {
                never.await();
                return 1;
            });
            order(commands, 2, () -> 2);
            order(commands, 3, () -> 3);
            Await.until("the later orders are done", () -> {
                commands.drain();
                return done.size() == 2;
            });
            assertThat(done).containsExactly(2, 3);
            never.countDown();
        }
    }
}
