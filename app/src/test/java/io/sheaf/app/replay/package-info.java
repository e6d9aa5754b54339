@NullMarked
package io.sheaf.app.replay;

import org.jspecify.annotations.NullMarked;
