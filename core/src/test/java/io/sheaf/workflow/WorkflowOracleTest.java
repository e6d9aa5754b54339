package io.sheaf.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleDirectedGraph;
import org.jgrapht.traverse.TopologicalOrderIterator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Levels, bottom levels and cycle detection against JGraphT on random graphs. */
class WorkflowOracleTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 40, 300})
    void agreesWithJGraphT(int tasks) {
        for (int seed = 0; seed < 60; seed++) {
            RandomStream random = new RandomStream(seed);
            SimpleDirectedGraph<Integer, DefaultEdge> graph = new SimpleDirectedGraph<>(DefaultEdge.class);
            WorkflowBuilder builder = new WorkflowBuilder("random");
            int[] rank = random.permutation(tasks);
            for (int task = 0; task < tasks; task++) {
                graph.addVertex(task);
                builder.time(builder.task("t" + task), random.nextInt(1000));
            }
            for (int e = 0; e < tasks * 3; e++) {
                int a = random.nextInt(tasks);
                int b = random.nextInt(tasks);
                if (rank[a] < rank[b]) {
                    graph.addEdge(a, b);
                    builder.edge(a, b);
                }
            }
            compare(graph, builder.build());
        }
    }

    private static void compare(SimpleDirectedGraph<Integer, DefaultEdge> graph, Workflow w) {
        int[] level = new int[w.size()];
        long[] top = new long[w.size()];
        long critical = 0;
        for (TopologicalOrderIterator<Integer, DefaultEdge> at = new TopologicalOrderIterator<>(graph);
                at.hasNext(); ) {
            int task = at.next();
            for (DefaultEdge in : graph.incomingEdgesOf(task)) {
                int parent = graph.getEdgeSource(in);
                level[task] = Math.max(level[task], level[parent] + 1);
                top[task] = Math.max(top[task], top[parent] + w.timeMicros(parent));
            }
            critical = Math.max(critical, top[task] + w.timeMicros(task));
        }
        assertThat(w.edges()).isEqualTo(graph.edgeSet().size());
        assertThat(w.criticalPathMicros()).isEqualTo(critical);
        boolean[] seen = new boolean[w.size()];
        for (int i = 0; i < w.size(); i++) {
            int task = w.inOrder(i);
            assertThat(w.level(task)).isEqualTo(level[task]);
            for (int p = 0; p < w.parents(task); p++) {
                assertThat(seen[w.parent(task, p)]).isTrue();
                assertThat(graph.containsEdge(w.parent(task, p), task)).isTrue();
            }
            seen[task] = true;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void findsARealCycleInAnyCyclicGraph(long seed) {
        for (int round = 0; round < 100; round++) {
            RandomStream random = new RandomStream(seed * 1000 + round);
            int tasks = random.between(1, 30);
            IntPairs pairs = new IntPairs();
            for (int e = 0; e < tasks * 2; e++) {
                pairs.add(random.nextInt(tasks), random.nextInt(tasks));
            }
            Adjacency parents = Adjacency.sorted(tasks, pairs);
            Levels levels = Levels.of(parents, parents.reversed(tasks));
            if (levels.order.length < tasks) {
                var cycle = levels.cycle(parents);
                for (int i = 0; i < cycle.size(); i++) {
                    int next = cycle.get((i + 1) % cycle.size());
                    assertThat(row(parents, next)).contains(cycle.get(i));
                }
            }
        }
    }

    private static Integer[] row(Adjacency parents, int task) {
        Integer[] row = new Integer[parents.degree(task)];
        for (int i = 0; i < row.length; i++) {
            row[i] = parents.value(task, i);
        }
        return row;
    }
}
