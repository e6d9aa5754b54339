/** Tests of the dashboard and other pages in Debian's Chromium. */
@NullMarked
package io.sheaf.browser;

import org.jspecify.annotations.NullMarked;
