/** Reports on one run: status, decisions and the page. */
@NullMarked
package io.sheaf.app.report;

import org.jspecify.annotations.NullMarked;
