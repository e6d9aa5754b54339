package io.sheaf.app.savings;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.lab.savings.KnownCampaigns.Recognition;
import io.sheaf.lab.savings.PastCampaign;
import io.sheaf.lab.savings.PastJobs;
import io.sheaf.lab.savings.PolicyFit;
import io.sheaf.lab.savings.SavingsStudy.CampaignResult;
import io.sheaf.lab.savings.SavingsStudy.Compared;
import io.sheaf.lab.savings.SavingsTotal;
import io.sheaf.lab.savings.SavingsTotal.Saved;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What strategies would have saved on past campaigns, as text and JSON.
 *
 * @param nodesKnown whether the number of nodes is given; otherwise it is the most that were in use
 * @param policyKnown whether the policy is given; otherwise it is inferred, or assumed if there is too little data
 * @param found campaigns of all users
 * @param possible those of the requested user that can be replayed
 * @param recognition of generated campaigns; null if there are none
 * @param anonymous whether names and dates are left out
 */
record SavingsReport(
        String source,
        PastJobs jobs,
        int nodes,
        boolean nodesKnown,
        String policy,
        boolean policyKnown,
        PolicyFit fit,
        int found,
        int possible,
        List<Compared> compared,
        List<String> strategies,
        @Nullable Recognition recognition,
        boolean anonymous) {
    private static final double HOUR = 3.6e6;
    private static final double DAY = 24 * HOUR;
    private static final int PLACES = 3;
    /** Above this error of the replay, relative to the mean wait, savings mean little. */
    private static final double POOR_FIT = 0.5;

    /** The name of the log, without its folder. */
    String title() {
        return anonymous ? "accounting" : source.substring(source.lastIndexOf('/') + 1);
    }

    List<SavingsTotal> totals() {
        return SavingsTotal.of(compared, strategies);
    }

    /** Labelled facts about the log, the policy and the campaigns. */
    Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "log",
                title() + ", " + Rounded.count(jobs.size()) + " jobs in " + DecimalText.fixed(jobs.span() / DAY, 1)
                        + " days"
                        + (jobs.leftOut() == 0
                                ? ""
                                : ", " + Rounded.count(jobs.leftOut()) + " excluded because they never ran"));
        facts.put("cluster", Rounded.count(nodes) + " nodes" + (nodesKnown ? "" : " (maximum in use)"));
        facts.put("policy", policyText());
        facts.put(
                "campaigns",
                found + " found, " + possible + " of them can be replayed, " + compared.size() + " replayed");
        if (!compared.isEmpty()) {
            facts.put(
                    "as submitted",
                    hours(sum(false)) + " in total from first submission to last end (recorded " + hours(sum(true))
                            + ")");
        }
        if (recognition != null) {
            facts.put(
                    "validation",
                    recognition.right() + " of " + recognition.known() + " generated campaigns recognised (recall "
                            + DecimalText.fixed(recognition.recall(), 2) + ", precision "
                            + DecimalText.fixed(recognition.precision(), 2) + "); " + recognition.unknown()
                            + " further campaigns in the background");
        }
        return facts;
    }

    private String policyText() {
        String error = ": mean error of replayed starts " + hours(fit.best().meanError() / HOUR) + ", mean wait "
                + hours(fit.meanWait() / HOUR) + " (" + Rounded.count(fit.jobs()) + " jobs)";
        if (policyKnown) {
            return policy + " (given)";
        }
        if (!fit.isInferred()) {
            return policy + " (assumed: not enough data to infer it)";
        }
        String alike = fit.tried().stream()
                .skip(1)
                .filter(PolicyFit.Candidate::equal)
                .map(PolicyFit.Candidate::name)
                .collect(Collectors.joining("; "));
        return policy + " (inferred" + error + (alike.isEmpty() ? "" : "; equally good on this log: " + alike) + ")";
    }

    private double sum(boolean recorded) {
        return compared.stream()
                        .map(each -> recorded ? each.recorded() : each.asSubmitted())
                        .mapToLong(CampaignResult::turnaround)
                        .sum()
                / HOUR;
    }

    /** Reasons to doubt the figures. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (compared.isEmpty()) {
            if (possible == 0) {
                warnings.add("not enough data: no campaign to replay");
            }
            return warnings;
        }
        long weeks = SavingsTotal.weeks(compared);
        if (compared.size() < SavingsTotal.MIN_CAMPAIGNS || weeks < SavingsTotal.MIN_WEEKS) {
            warnings.add(
                    "not enough data for intervals: " + compared.size() + " campaigns in " + weeks + " weeks; at least "
                            + SavingsTotal.MIN_CAMPAIGNS + " in " + SavingsTotal.MIN_WEEKS + " are needed");
        }
        if (!policyKnown && !fit.isInferred()) {
            warnings.add("not enough data to infer the policy: " + fit.jobs() + " jobs with a mean wait of "
                    + hours(fit.meanWait() / HOUR) + " could be compared");
        } else if (!policyKnown && fit.relativeError() > POOR_FIT) {
            warnings.add("the replay does not reproduce the recorded starts well: the mean error is "
                    + Rounded.percent(fit.relativeError())
                    + " of the mean wait; reservations, limits or other partitions may be missing");
        }
        return warnings;
    }

    static Fields<SavingsTotal> totalFields() {
        return new Fields<SavingsTotal>()
                .text("strategy", "strategy", SavingsTotal::strategy)
                .right("time saved", each -> hours(each.hours().sum()))
                .right(
                        "relative",
                        each -> Rounded.percent(each.hours().sum() / Math.max(1e-9, each.asSubmittedHours())))
                .right("95 % interval", each -> interval(each.hours(), " h"))
                .right(
                        "node-hours saved",
                        each -> DecimalText.fixed(each.nodeHours().sum(), 1))
                .right("95 % interval", each -> interval(each.nodeHours(), ""))
                .right(
                        "other users' wait saved",
                        each -> hours(each.othersHours().sum()))
                .right("95 % interval", each -> interval(each.othersHours(), " h"))
                .right("faster", each -> Integer.toString(each.faster()))
                .right("slower", each -> Integer.toString(each.slower()))
                .right("failed", each -> Integer.toString(each.failed()))
                .count("campaigns", SavingsTotal::campaigns)
                .count("faster", SavingsTotal::faster)
                .count("slower", SavingsTotal::slower)
                .count("failed", SavingsTotal::failed)
                .decimal("asSubmittedHours", PLACES, SavingsTotal::asSubmittedHours)
                .field((out, each) -> saved(out, "savedHours", each.hours()))
                .field((out, each) -> saved(out, "savedNodeHours", each.nodeHours()))
                .field((out, each) -> saved(out, "othersSavedHours", each.othersHours()));
    }

    private static void saved(JsonOut out, String name, Saved saved) {
        out.object(name)
                .decimal("sum", saved.sum(), PLACES)
                .decimal("low", saved.interval().low(), PLACES)
                .decimal("high", saved.interval().high(), PLACES)
                .end();
    }

    Fields<Compared> campaignFields() {
        Fields<Compared> fields = new Fields<Compared>()
                .text("user", "user", each -> user(each.campaign()))
                .text("name", "name", each -> anonymous ? "" : each.campaign().name())
                .right("day", each -> DecimalText.fixed(day(each), 1))
                .decimal("day", PLACES, this::day)
                .count("jobs", "jobs", each -> each.campaign().jobs().length)
                .text("evidence", "evidence", each -> each.campaign().evidence().stream()
                        .map(PastCampaign.Evidence::toString)
                        .collect(Collectors.joining(", ")))
                .time("recorded", "recordedSeconds", each -> each.recorded().turnaround())
                .time("as submitted", "asSubmittedSeconds", each -> each.asSubmitted()
                        .turnaround())
                .nodeHours("node-hours", "nodeHours", PLACES, each -> each.recorded()
                        .nodeMillis());
        for (int s = 0; s < strategies.size(); s++) {
            int strategy = s;
            fields.right(strategies.get(s), each -> {
                CampaignResult result = each.replayed().get(strategy);
                return result.completed() ? Rounded.time(result.turnaround()) : "failed";
            });
        }
        return fields.field(this::results);
    }

    private void results(JsonOut out, Compared each) {
        out.objects("strategies", strategies.size(), s -> {
            CampaignResult result = each.replayed().get(s);
            out.field("strategy", strategies.get(s)).field("completed", result.completed());
            out.decimal("seconds", result.completed() ? result.turnaround() / 1000.0 : Double.NaN, PLACES)
                    .decimal("savedHours", each.savedHours(s), PLACES)
                    .decimal("savedNodeHours", each.savedNodeHours(s), PLACES)
                    .decimal("othersSavedHours", each.othersSavedHours(s), PLACES)
                    .field("jobsSubmitted", result.jobs())
                    .field("failure", result.failure());
        });
    }

    /** The user of a campaign; a number in order of appearance if names are left out. */
    private String user(PastCampaign campaign) {
        List<String> users =
                compared.stream().map(each -> each.campaign().user()).distinct().toList();
        return anonymous ? "user " + (users.indexOf(campaign.user()) + 1) : campaign.user();
    }

    /** The begin of a campaign in days since the first replayed one if dates are left out, otherwise since the begin of the log. */
    private double day(Compared each) {
        long first = anonymous ? compared.get(0).submitted() : jobs.firstSubmit();
        return (each.submitted() - first) / DAY;
    }

    void print(PrintWriter out) {
        facts().forEach((label, text) -> out.println(Fields.line(label, text)));
        if (!compared.isEmpty()) {
            out.println();
            totalFields().table(out, totals());
            out.println();
            campaignFields().table(out, compared);
        }
        for (String warning : warnings()) {
            out.println();
            out.println(warning);
        }
    }

    void fields(JsonOut out) {
        out.field("log", title())
                .field("jobs", jobs.size())
                .field("leftOut", jobs.leftOut())
                .decimal("days", jobs.span() / DAY, PLACES)
                .field("nodes", nodes)
                .field("nodesGiven", nodesKnown)
                .object("policy")
                .field("name", policy)
                .field("given", policyKnown)
                .field("inferred", !policyKnown && fit.isInferred())
                .decimal("meanWaitSeconds", fit.meanWait() / 1000, PLACES)
                .field("comparedJobs", fit.jobs())
                .objects("candidates", fit.tried(), each -> out.field("name", each.name())
                        .decimal("meanErrorSeconds", each.meanError() / 1000, PLACES)
                        .decimal("meanShiftSeconds", each.meanShift() / 1000, PLACES)
                        .field("noWorse", each.equal()))
                .end()
                .field("campaignsFound", found)
                .field("campaignsPossible", possible);
        if (recognition != null) {
            out.object("validation")
                    .field("known", recognition.known())
                    .field("found", recognition.found())
                    .field("right", recognition.right())
                    .field("others", recognition.unknown())
                    .decimal("precision", recognition.precision(), PLACES)
                    .decimal("recall", recognition.recall(), PLACES)
                    .end();
        }
        totalFields().array(out, "strategies", totals());
        campaignFields().array(out, "campaigns", compared);
        out.texts("warnings", warnings());
    }

    static String hours(double hours) {
        return DecimalText.fixed(hours, 1) + " h";
    }

    private static String interval(Saved saved, String unit) {
        return saved.hasInterval()
                ? DecimalText.fixed(saved.interval().low(), 1) + " to "
                        + DecimalText.fixed(saved.interval().high(), 1) + unit
                : "-";
    }
}
