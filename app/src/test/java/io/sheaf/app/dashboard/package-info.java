/** Tests of the dashboard. */
@NullMarked
package io.sheaf.app.dashboard;

import org.jspecify.annotations.NullMarked;
