package io.sheaf.runtime.run;

import io.sheaf.manager.Manager;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.RunJournal;

/**
 * The state of a run that only its loop changes.
 *
 * @param notes records the strategy's considerations; the manager has the same object
 * @param forest the manager's workflows
 * @param journal the durable record of all changes
 */
public record LoopState(Manager manager, Considerations.Notes notes, Forest forest, RunJournal journal) {}
