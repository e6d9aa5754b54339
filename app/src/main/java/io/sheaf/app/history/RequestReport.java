package io.sheaf.app.history;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.report.RequestAdvice;
import io.sheaf.app.report.TaskFigures;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.Regret;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The requests of recorded runs beside what their tasks used, as a table and as JSON.
 *
 * @param earlier by workflow and category: how much earlier its tasks would have started on average with the suggested requests, in milliseconds
 * @param simulated by workflow: the run in whose queue that was simulated
 */
record RequestReport(
        List<RequestAdvice> advice, Map<String, Map<String, Long>> earlier, Map<String, String> simulated) {
    /** The advice from all runs of a workflow; start times are simulated in the newest run that allows it. */
    static RequestReport of(List<PastRun> runs) throws IOException {
        Map<String, List<TaskFigures>> byWorkflow = new TreeMap<>();
        for (PastRun run : runs) {
            byWorkflow
                    .computeIfAbsent(run.record().workflow().name(), name -> new ArrayList<>())
                    .addAll(run.tasks());
        }
        List<RequestAdvice> advice = new ArrayList<>();
        Map<String, Map<String, Long>> earlier = new HashMap<>();
        Map<String, String> simulated = new HashMap<>();
        for (Map.Entry<String, List<TaskFigures>> each : byWorkflow.entrySet()) {
            List<RequestAdvice> own = RequestAdvice.of(each.getKey(), each.getValue());
            advice.addAll(own);
            Map<String, Regret.CategoryRequest> requests = new HashMap<>();
            own.stream()
                    .filter(one -> !one.changes().isEmpty())
                    .forEach(one -> requests.put(one.category(), one.request()));
            for (int i = runs.size() - 1; i >= 0 && !requests.isEmpty() && !earlier.containsKey(each.getKey()); i--) {
                PastRun run = runs.get(i);
                if (run.record().workflow().name().equals(each.getKey())) {
                    Map<String, Long> found = Regret.earlier(RecordedRun.open(Path.of(run.folder())), requests);
                    if (!found.isEmpty()) {
                        earlier.put(each.getKey(), found);
                        simulated.put(each.getKey(), run.name());
                    }
                }
            }
        }
        return new RequestReport(advice, earlier, simulated);
    }

    void fields(JsonOut out) {
        out.objects("advice", advice, each -> {
            RequestAdvice.COLUMNS_BY_WORKFLOW.fields(out, each);
            Long millis = earlier.getOrDefault(each.workflow(), Map.of()).get(each.category());
            if (millis != null) {
                out.decimal("earlierSeconds", millis / 1000.0, 3);
            }
        });
    }

    void print(PrintWriter out) {
        RequestAdvice.COLUMNS_BY_WORKFLOW.table(out, advice);
        for (RequestAdvice each : advice) {
            if (!each.changes().isEmpty()) {
                out.println(each.text() + started(each));
            }
        }
        if (advice.stream().allMatch(each -> each.changes().isEmpty())) {
            out.println("no request is twice what 95 percent of the tasks used");
        }
    }

    private String started(RequestAdvice advice) {
        Long millis = earlier.getOrDefault(advice.workflow(), Map.of()).get(advice.category());
        if (millis == null) {
            return "";
        }
        String run = ", simulated in the queue of " + simulated.get(advice.workflow());
        return millis > 0
                ? "; its tasks would have started " + Rounded.time(millis) + " earlier on average" + run
                : "; its tasks would not have started earlier" + run;
    }
}
