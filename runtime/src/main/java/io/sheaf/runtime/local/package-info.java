/** Runs on this machine: the embedded cluster with agents as processes, and the folder that everything of a run lies in. */
@NullMarked
package io.sheaf.runtime.local;

import org.jspecify.annotations.NullMarked;
