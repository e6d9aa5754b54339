package io.sheaf.strategy;

import static io.sheaf.strategy.OnPaper.HOUR;
import static io.sheaf.strategy.OnPaper.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Five tasks of an hour on up to four nodes: one node takes 5 hours, two 3, three and four 2. */
class ShapesTest {
    private final OnPaper run = OnPaper.hours(5, 4).starting(7 * MINUTE);
    private final Rollout rollout = run.planning().rollout();
    private final Shapes shapes =
            Shapes.forAll(run.view, run.times.range(0, 0), rollout, new Queue(run.view, run, Profile.OWN), false);

    private static Shapes shapes(OnPaper run) {
        return Shapes.forAll(
                run.view,
                run.times.range(0, 0),
                run.planning().rollout(),
                new Queue(run.view, run, Profile.OWN),
                false);
    }

    /**
     * At most 132 minutes, which is the request for 120. On one node a chain of two, two and one hours ends after 300 minutes if waits are short. If they are 200 minutes, the jobs start
     * 200 minutes after each other: at 0, 200 and 400. Two nodes need 2 · 60 + 60, three 120 without a chain.
     */
    @Test
    void shapesAreCutToTheLimitAndChained() {
        Shapes soon = shapes(OnPaper.hours(5, 4, 132 * MINUTE).starting(7 * MINUTE));
        assertThat(texts(soon)).containsExactly("1 x 120", "2 x 120", "3 x 120", "4 x 120");
        assertThat(soon.total(0)).isEqualTo(300 * MINUTE);
        assertThat(soon.total(1)).isEqualTo(180 * MINUTE);
        assertThat(soon.total(2)).isEqualTo(120 * MINUTE);
        Shapes late = shapes(OnPaper.hours(5, 4, 132 * MINUTE).starting(200 * MINUTE));
        assertThat(late.total(0)).isEqualTo(460 * MINUTE);
        assertThat(late.total(1)).isEqualTo(260 * MINUTE);
        assertThat(late.first()).isEqualTo(2);
    }

    private static List<String> texts(Shapes shapes) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < shapes.size(); i++) {
            texts.add(shapes.nodes(i) + " x " + shapes.run(i) / MINUTE);
        }
        return texts;
    }

    @Test
    void everyNodeCountHasAShape() {
        assertThat(texts(shapes)).containsExactly("1 x 300", "2 x 180", "3 x 120", "4 x 120");
        assertThat(shapes.queueWait(2)).isEqualTo(7 * MINUTE);
        assertThat(shapes.first())
                .as("ends as early as four nodes, with less node time")
                .isEqualTo(2);
    }

    /**
     * 300 / 2 and 300 / 4 minutes are longer than a task, 300 / 8 are not; the last time is the 60 minutes of a task.
     */
    @Test
    void shorterShapesGoDownToTheLongestTask() {
        Shapes all = shapes.withShorter();
        assertThat(texts(all))
                .containsExactly(
                        "1 x 300", "2 x 180", "3 x 120", "4 x 120", "1 x 150", "1 x 75", "1 x 60", "2 x 90", "2 x 60",
                        "3 x 60", "4 x 60");
        assertThat(all.isDominated(4))
                .as("one node for 300 minutes waits no longer")
                .isTrue();
        assertThat(all.isDominated(0)).isFalse();
        assertThat(texts(shapes)).as("the original is unchanged").hasSize(4);
    }

    /**
     * At 0.1 per node-minute three nodes cost 7 + 120 · 1.3 = 163 and four 7 + 120 · 1.4 = 175. At 10 per node-minute one node costs 7 + 300 · 11 = 3307, two 7 + 180 · 21 = 3787, three 7 + 120 · 31 = 3727;
     * but one node ends after 307 minutes, later than 1.05 · 127.
     */
    @Test
    void theCheapestShapeThatEndsInTimeIsBest() {
        assertThat(shapes.best(0.1, 0.05)).isEqualTo(2);
        assertThat(shapes.best(10, 2)).isZero();
        assertThat(shapes.best(10, 0.05)).isEqualTo(2);
    }

    /**
     * 600 tasks of an hour on up to 100 nodes. Jobs of at most 70 nodes and 630 minutes start at once, all others in 20 hours. 62 nodes need ⌈600 / 62⌉ = 10 hours and request 660 minutes: they
     * wait. 70 nodes need 9 hours, request 594 minutes and start at once. So do 67 nodes; 66 would need 10 hours. The first end of the others is that of 100 nodes, 20 + 6 hours.
     */
    @Test
    void aNodeCountThatFitsAGapIsAdded() {
        OnPaper many = OnPaper.hours(600, 100);
        StartEstimator gap = new StartEstimator() {
            @Override
            public void estimate(StartQuery query, StartTimes answer) {
                answer.begin(query, basis());
                for (int i = 0; i < query.jobs(); i++) {
                    boolean fits = query.units(i) <= 70 && query.walltime(i) <= 630 * MINUTE;
                    answer.job(i, fits ? 0 : 20 * HOUR);
                }
            }

            @Override
            public Basis basis() {
                return Basis.PROMISE;
            }
        };
        Shapes all = Shapes.forAll(
                many.view,
                many.times.range(0, 0),
                many.planning().rollout(),
                new Queue(many.view, gap, Profile.OWN),
                false);
        assertThat(texts(all)).contains("62 x 600", "67 x 540", "80 x 480");
        assertThat(texts(all).get(all.first())).isEqualTo("67 x 540");
        assertThat(all.queueWait(all.first())).isZero();
    }
}
