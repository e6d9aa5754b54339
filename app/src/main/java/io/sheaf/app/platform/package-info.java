/** A page about an execution on a platform of several clusters. */
@NullMarked
package io.sheaf.app.platform;

import org.jspecify.annotations.NullMarked;
