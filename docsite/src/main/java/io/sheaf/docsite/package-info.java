/** Renders the documentation to static HTML pages with checked links and a search that needs no server. A build tool; not shipped. */
@NullMarked
package io.sheaf.docsite;

import org.jspecify.annotations.NullMarked;
