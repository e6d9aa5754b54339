/** What earlier runs came to: categories, predicted starts, node-hours, and what other strategies would have achieved. */
@NullMarked
package io.sheaf.app.history;

import org.jspecify.annotations.NullMarked;
