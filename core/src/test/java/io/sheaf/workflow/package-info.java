@NullMarked
package io.sheaf.workflow;

import org.jspecify.annotations.NullMarked;
