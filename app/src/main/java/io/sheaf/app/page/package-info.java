/** Pages for people: self-contained HTML files, and the charts in them. */
@NullMarked
package io.sheaf.app.page;

import org.jspecify.annotations.NullMarked;
