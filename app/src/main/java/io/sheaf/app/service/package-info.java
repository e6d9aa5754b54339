/** A service that many workflows are handed to: what it holds, and what may be asked of it over the network. */
@NullMarked
package io.sheaf.app.service;

import org.jspecify.annotations.NullMarked;
