/** The documentation as a site of static pages: Markdown to HTML, links checked, a search that needs no server. */
@NullMarked
package io.sheaf.site;

import org.jspecify.annotations.NullMarked;
