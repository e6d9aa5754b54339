/** A small web server for people and programs of this machine: routes, a token, limits, streams of events. */
@NullMarked
package io.sheaf.app.web;

import org.jspecify.annotations.NullMarked;
