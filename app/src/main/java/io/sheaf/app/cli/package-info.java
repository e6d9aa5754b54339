/** Shared parts of all commands: options, exit status, tables, JSON and files. */
@NullMarked
package io.sheaf.app.cli;

import org.jspecify.annotations.NullMarked;
