package io.sheaf.app.cli;

import io.sheaf.formats.WorkflowFormat;
import io.sheaf.formats.registry.Formats;
import io.sheaf.sim.model.ClusterFigures;
import io.sheaf.sim.model.Presets;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Family;
import java.util.Iterator;
import java.util.List;

/** Completion candidates for a shell, from the registries. */
public final class Candidates {
    private Candidates() {}

    public static final class StrategyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Strategies.NAMES.iterator();
        }
    }

    public static final class Models implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Presets.all().stream().map(ClusterFigures::name).iterator();
        }
    }

    public static final class FormatsRead implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Formats.readers().stream().map(WorkflowFormat::name).iterator();
        }
    }

    public static final class FormatsWritten implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Formats.writers().stream().map(WorkflowFormat::name).iterator();
        }
    }

    public static final class FamilyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Families.all().stream().map(Family::name).iterator();
        }
    }

    public static final class PolicyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("fcfs", "easy", "conservative").iterator();
        }
    }

    public static final class TurnPolicyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return io.sheaf.planner.Policies.NAMES.iterator();
        }
    }

    public static final class ProfileNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("own", "thesis", "thesis-contiguous").iterator();
        }
    }

    public static final class CheckNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("time", "hash").iterator();
        }
    }
}
