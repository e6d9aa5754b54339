/** The settings of all commands, and the origins of their values. */
@NullMarked
package io.sheaf.app.config;

import org.jspecify.annotations.NullMarked;
