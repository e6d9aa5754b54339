/** Self-contained HTML pages and their charts. */
@NullMarked
package io.sheaf.app.page;

import org.jspecify.annotations.NullMarked;
