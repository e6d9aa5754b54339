/** What is shown of a replay: waits by job size, a table of jobs, and a page with charts. */
@NullMarked
package io.sheaf.app.replay;

import org.jspecify.annotations.NullMarked;
