/** Tests of the web server. */
@NullMarked
package io.sheaf.app.web;

import org.jspecify.annotations.NullMarked;
