@NullMarked
package io.sheaf.app.cli;

import org.jspecify.annotations.NullMarked;
