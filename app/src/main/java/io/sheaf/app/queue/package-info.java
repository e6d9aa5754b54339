/** Tasks submitted one by one: submit-task, task-status and task-cancel. */
@NullMarked
package io.sheaf.app.queue;

import org.jspecify.annotations.NullMarked;
