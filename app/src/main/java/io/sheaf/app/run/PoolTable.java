package io.sheaf.app.run;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Table;
import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The pools of a run side by side: nodes, limits, price, and the estimated wait of one request in each.
 *
 * @param waits in milliseconds; −1 if a pool does not allow the request
 */
record PoolTable(Pools pools, Request request, List<Long> waits) {
    static PoolTable of(Pools pools, StartEstimator estimator, long now, Request request) {
        List<Long> waits = new ArrayList<>();
        for (int number = 1; number <= pools.count(); number++) {
            long start = pools.allows(number, request.units(), request.walltime())
                    ? estimator
                            .estimate(StartQuery.of(now, number, request.units(), request.walltime()))
                            .job(0)
                    : StartTimes.NEVER;
            waits.add(start == StartTimes.NEVER ? -1 : Math.max(0, start - now));
        }
        return new PoolTable(pools, request, waits);
    }

    void print(PrintWriter out) {
        out.println("estimated wait of " + request.units() + (request.units() == 1 ? " node" : " nodes") + " for "
                + Rounded.time(request.walltime()) + " by pool");
        out.println();
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < waits.size(); i++) {
            Pool pool = pools.pool(i + 1);
            String[] name = pool.name().split("/", 2);
            rows.add(List.of(
                    name[0],
                    name.length > 1 ? name[1] : "-",
                    Rounded.count(pool.size()),
                    pool.limits().walltime() == JobLimits.NONE.walltime()
                            ? "-"
                            : Rounded.time(pool.limits().walltime()),
                    Rounded.count(Math.min(pool.size(), pool.limits().units())),
                    DecimalText.fixed(pool.price(), 2),
                    waits.get(i) < 0 ? "not allowed" : Rounded.time(waits.get(i))));
        }
        Table.print(
                out,
                List.of("partition", "QOS", "nodes", "max walltime", "max nodes", "price", "estimated wait"),
                rows,
                "<<>>>>>");
    }

    void printJson(JsonOut out) {
        out.array("pools");
        for (int i = 0; i < waits.size(); i++) {
            Pool pool = pools.pool(i + 1);
            out.object().field("pool", pool.name()).field("nodes", pool.size());
            out.field("maxNodes", Math.min(pool.size(), pool.limits().units()));
            if (pool.limits().walltime() != JobLimits.NONE.walltime()) {
                out.seconds("maxWalltimeSeconds", pool.limits().walltime() * 1000);
            }
            out.decimal("price", pool.price(), 6);
            if (waits.get(i) >= 0) {
                out.seconds("expectedWaitSeconds", waits.get(i) * 1000);
            }
            out.end();
        }
        out.end();
    }
}
