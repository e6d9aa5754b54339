/** A small local web server: routes, a token, limits and event streams. */
@NullMarked
package io.sheaf.app.web;

import org.jspecify.annotations.NullMarked;
