/** Settings: what can be set, where its value came from, in one place for all commands. */
@NullMarked
package io.sheaf.app.config;

import org.jspecify.annotations.NullMarked;
