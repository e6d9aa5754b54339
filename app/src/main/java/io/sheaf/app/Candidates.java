package io.sheaf.app;

import io.sheaf.formats.Formats;
import io.sheaf.formats.WorkflowFormat;
import io.sheaf.sim.model.ClusterFigures;
import io.sheaf.sim.model.Presets;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Family;
import java.util.Iterator;
import java.util.List;

/** Values that a shell may complete, from the registries that hold them. */
final class Candidates {
    private Candidates() {}

    static final class StrategyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Strategies.NAMES.iterator();
        }
    }

    static final class Systems implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Sites.NAMES.iterator();
        }
    }

    static final class Models implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Presets.all().stream().map(ClusterFigures::name).iterator();
        }
    }

    static final class FormatsRead implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Formats.readers().stream().map(WorkflowFormat::name).iterator();
        }
    }

    static final class FormatsWritten implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Formats.writers().stream().map(WorkflowFormat::name).iterator();
        }
    }

    static final class FamilyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Families.all().stream().map(Family::name).iterator();
        }
    }

    static final class Policies implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("fcfs", "easy", "conservative").iterator();
        }
    }

    static final class TurnPolicies implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return io.sheaf.planner.Policies.NAMES.iterator();
        }
    }

    static final class Profiles implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("own", "thesis", "thesis-contiguous").iterator();
        }
    }

    static final class KnownTimes implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SimulationOptions.HOW.iterator();
        }
    }

    static final class Checks implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("time", "hash").iterator();
        }
    }
}
