/** Makes workflows of any size in the shapes of published applications. */
@NullMarked
package io.sheaf.workflow.generate;

import org.jspecify.annotations.NullMarked;
