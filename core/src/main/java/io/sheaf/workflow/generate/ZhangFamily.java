package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.BinarySearch;
import io.sheaf.workflow.Workflow;
import java.util.List;

/**
 * One of the five applications of Zhang, Koelbel and Cooper, "Batch queue resource scheduling for workflow applications",
 * IEEE Cluster 2009, section IV.B.
 *
 * <h2>What the paper specifies</h2>
 * 25 configurations of each application "for different data sizes": dozens to thousands of tasks, a maximum parallelism of 5 to
 * 256, a total running time of several hours to a week. EMAN and Montage have a constant number of levels, FFT grows
 * logarithmically to 20, Gaussian elimination has over 100 and a parallelism of at most 55. About 30 % of the workflows ask for
 * more than 128 processors. One pilot job for everything uses almost three times the CPU hours of single tasks, and on average
 * less than 600. The shapes and weights themselves are in pictures.
 *
 * <h2>What is chosen here</h2>
 * A shape has one dimension (the width of a parallel phase, the number of blocks, the order of the matrix), and each of the 25
 * sizes fixes it. The total running time is read as the sum of all run times, since a week at full width would use far more
 * than 600 CPU hours: it grows from 4 h to 168 h in equal steps of 6 h 50 m. The widths are such that 37 of the 125 workflows
 * (30 %) are wider than 128, and the weights of the single steps such that width times critical path, which is what one
 * pilot job for everything holds, is 2.8 times the work over all 125. Single tasks, one core, no files.
 *
 * <h2>Other sizes</h2>
 * For a number of tasks the dimension is taken that comes nearest (the smaller one of two), and each task has the mean run time of
 * the nearest of the 25 sizes, so that the number of tasks of a size gives the same workflow as the size.
 */
abstract class ZhangFamily extends Family {
    static final int SIZES = 25;

    /** Widths of the parallel phases of EMAN, BLAST and Montage: ten of the 25 above 128. */
    private static final int[] WIDTHS = {
        9, 10, 12, 14, 16, 20, 24, 28, 32, 40, 52, 64, 80, 104, 128, //
        140, 152, 164, 176, 188, 200, 212, 224, 240, 256
    };

    private static final long MIN_WORK = 4 * TimeText.HOUR;
    private static final long STEP = 6 * TimeText.HOUR + 50 * TimeText.MINUTE;

    private final int minDimension;

    ZhangFamily(String name, String about, int minDimension) {
        super(
                name,
                about + " (Zhang et al. 2009)",
                List.of(new Parameter("size", "13", "which of the 25 sizes, 1 to 25; instead of a number of tasks")));
        this.minDimension = minDimension;
    }

    /** The dimension of one of the sizes 1 … 25. */
    int dimension(int size) {
        return width(size);
    }

    /** The number of tasks; grows with the dimension. */
    abstract long tasks(int dimension);

    /** Draws the tasks with weights in any unit. */
    abstract void draw(Sketch sketch, int dimension, RandomStream random);

    @Override
    public final Workflow generate(Recipe recipe) {
        recipe.check(this);
        int size = recipe.integer(this, "size", 1, SIZES);
        int dimension = dimension(size);
        long work = work(size);
        if (recipe.tasks() > 0) {
            if (recipe.parameters().containsKey("size")) {
                throw new InputException("size=" + size + " and " + recipe.tasks()
                        + " tasks were both given; give one of them, since either fixes the other");
            }
            dimension = nearestDimension(recipe.tasks());
            int nearest = nearestSize(tasks(dimension));
            work = Math.round(work(nearest) * ((double) tasks(dimension) / tasks(dimension(nearest))));
        }
        Sketch sketch = new Sketch(name() + "-" + tasks(dimension));
        draw(sketch, dimension, new RandomStream(recipe.seed()).split(name()));
        return sketch.build(recipe.workMicros() > 0 ? recipe.workMicros() : work);
    }

    static int width(int size) {
        return WIDTHS[size - 1];
    }

    /** How many of the widths are below this one. */
    static int widthsBelow(int width) {
        int count = 0;
        while (count < SIZES && WIDTHS[count] < width) {
            count++;
        }
        return count;
    }

    static long work(int size) {
        return MIN_WORK + (size - 1) * STEP;
    }

    private int nearestDimension(int tasks) {
        int low = minDimension;
        int high = low + 1;
        while (tasks(high) < tasks) {
            low = high;
            high *= 2;
        }
        low = BinarySearch.last(low, high, dimension -> tasks(dimension) < tasks);
        high = low + 1;
        return tasks - tasks(low) <= tasks(high) - tasks ? low : high;
    }

    private int nearestSize(long tasks) {
        int nearest = 1;
        for (int size = 2; size <= SIZES; size++) {
            if (Math.abs(tasks(dimension(size)) - tasks) < Math.abs(tasks(dimension(nearest)) - tasks)) {
                nearest = size;
            }
        }
        return nearest;
    }
}
