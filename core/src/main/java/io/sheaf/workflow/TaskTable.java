package io.sheaf.workflow;

import io.sheaf.text.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of tasks, one column each.
 *
 * <p>Rarely used columns are allocated on first use. Categories and resources are stored once and referred to by number.
 */
final class TaskTable {
    static final long UNKNOWN = -1;

    int size;
    int[] category;
    long[] time;
    int[] resources;
    /** Where tasks are in the source text; null if that is unknown. */
    long @Nullable [] place;

    long @Nullable [] limit;
    int @Nullable [] retries;
    int @Nullable [] priority;

    @Nullable
    Retry @Nullable [] retry;

    @Nullable
    Command @Nullable [] command;

    @Nullable
    Scaling @Nullable [] scaling;

    final List<Category> categories;
    final List<Resources> kindsOfResources;
    private final Map<String, Integer> categoryNumbers;
    private final Map<Resources, Integer> resourceNumbers;

    TaskTable() {
        categoryNumbers = new HashMap<>();
        resourceNumbers = new HashMap<>();
        category = new int[16];
        time = new long[16];
        resources = new int[16];
        categories = new ArrayList<>();
        kindsOfResources = new ArrayList<>();
    }

    /** The same tasks with other times. All other columns are shared: neither table may be changed. */
    TaskTable(TaskTable source, long[] times) {
        size = source.size;
        time = times;
        category = source.category;
        resources = source.resources;
        place = source.place;
        limit = source.limit;
        retries = source.retries;
        priority = source.priority;
        retry = source.retry;
        command = source.command;
        scaling = source.scaling;
        categories = source.categories;
        kindsOfResources = source.kindsOfResources;
        categoryNumbers = source.categoryNumbers;
        resourceNumbers = source.resourceNumbers;
    }

    /** A copy of just the right length. */
    TaskTable(TaskTable other) {
        size = other.size;
        category = Arrays.copyOf(other.category, size);
        time = Arrays.copyOf(other.time, size);
        resources = Arrays.copyOf(other.resources, size);
        place = other.place == null ? null : Arrays.copyOf(other.place, size);
        limit = other.limit == null ? null : Arrays.copyOf(other.limit, size);
        retries = other.retries == null ? null : Arrays.copyOf(other.retries, size);
        priority = other.priority == null ? null : Arrays.copyOf(other.priority, size);
        retry = other.retry == null ? null : Arrays.copyOf(other.retry, size);
        command = other.command == null ? null : Arrays.copyOf(other.command, size);
        scaling = other.scaling == null ? null : Arrays.copyOf(other.scaling, size);
        categories = new ArrayList<>(other.categories);
        kindsOfResources = new ArrayList<>(other.kindsOfResources);
        categoryNumbers = new HashMap<>(other.categoryNumbers);
        resourceNumbers = new HashMap<>(other.resourceNumbers);
    }

    /** Adds a task of which nothing is known; its category has no name yet. */
    int add() {
        if (size == time.length) {
            grow(size + (size >> 1) + 16);
        }
        int task = size++;
        category[task] = categoryNumber("");
        time[task] = UNKNOWN;
        resources[task] = resourceNumber(Resources.ONE_CORE);
        return task;
    }

    void reserve(int capacity) {
        if (capacity > time.length) {
            grow(capacity);
        }
    }

    private void grow(int capacity) {
        category = Arrays.copyOf(category, capacity);
        time = Arrays.copyOf(time, capacity);
        resources = Arrays.copyOf(resources, capacity);
        place = place == null ? null : Arrays.copyOf(place, capacity);
        if (limit != null) {
            limit = grown(limit, capacity);
        }
        retries = retries == null ? null : Arrays.copyOf(retries, capacity);
        priority = priority == null ? null : Arrays.copyOf(priority, capacity);
        retry = retry == null ? null : Arrays.copyOf(retry, capacity);
        command = command == null ? null : Arrays.copyOf(command, capacity);
        scaling = scaling == null ? null : Arrays.copyOf(scaling, capacity);
    }

    private static long[] grown(long[] column, int capacity) {
        long[] longer = Arrays.copyOf(column, capacity);
        Arrays.fill(longer, column.length, capacity, UNKNOWN);
        return longer;
    }

    int categoryNumber(String name) {
        Integer number = categoryNumbers.get(name);
        if (number != null) {
            return number;
        }
        categories.add(Category.named(name));
        categoryNumbers.put(name, categories.size() - 1);
        return categories.size() - 1;
    }

    void describe(Category described) {
        categories.set(categoryNumber(described.name()), described);
    }

    /** Adds a category unless one of this name exists. */
    void describeIfNew(Category described) {
        if (!categoryNumbers.containsKey(described.name())) {
            describe(described);
        }
    }

    /** Sets all properties of a task but its place to those of a task of another workflow. */
    void copy(int task, Workflow from, int its) {
        category[task] = categoryNumber(from.category(its).name());
        time[task] = from.timeMicros(its);
        resources[task] = resourceNumber(from.resources(its));
        if (from.limitMicros(its) != UNKNOWN) {
            setLimit(task, from.limitMicros(its));
        }
        if (!from.retry(its).equals(Retry.DEFAULT)) {
            setRetry(task, from.retry(its));
        }
        if (from.retries(its) != 0) {
            setRetries(task, from.retries(its));
        }
        if (from.priority(its) != 0) {
            setPriority(task, from.priority(its));
        }
        Command run = from.command(its);
        if (run != null) {
            setCommand(task, run);
        }
        Scaling table = from.scaling(its);
        if (table != null) {
            setScaling(task, table);
        }
    }

    int resourceNumber(Resources needed) {
        Integer number = resourceNumbers.get(needed);
        if (number != null) {
            return number;
        }
        kindsOfResources.add(needed);
        resourceNumbers.put(needed, kindsOfResources.size() - 1);
        return kindsOfResources.size() - 1;
    }

    long placeOf(int task) {
        return place == null ? Place.NONE : place[task];
    }

    void setPlace(int task, long where) {
        place = place == null ? new long[time.length] : place;
        place[task] = where;
    }

    void setLimit(int task, long micros) {
        if (limit == null) {
            limit = new long[time.length];
            Arrays.fill(limit, UNKNOWN);
        }
        limit[task] = micros;
    }

    void setRetries(int task, int count) {
        retries = retries == null ? new int[time.length] : retries;
        retries[task] = count;
    }

    void setRetry(int task, Retry rule) {
        retry = retry == null ? new Retry[time.length] : retry;
        retry[task] = rule;
    }

    void setPriority(int task, int value) {
        priority = priority == null ? new int[time.length] : priority;
        priority[task] = value;
    }

    void setCommand(int task, Command run) {
        command = command == null ? new Command[time.length] : command;
        // Of many tasks of one kind the commands are the same.
        command[task] = task > 0 && run.equals(command[task - 1]) ? command[task - 1] : run;
    }

    void setScaling(int task, Scaling table) {
        scaling = scaling == null ? new Scaling[time.length] : scaling;
        scaling[task] = table;
    }
}
