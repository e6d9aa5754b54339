/** Experiments on clusters with a batch queue: workflows × start times × strategies, with background jobs from a log or a model. */
@NullMarked
package io.sheaf.lab.queue;

import org.jspecify.annotations.NullMarked;
