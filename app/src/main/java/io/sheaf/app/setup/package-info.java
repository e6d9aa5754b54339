/** This installation: config, demo, doctor and licences. */
@NullMarked
package io.sheaf.app.setup;

import org.jspecify.annotations.NullMarked;
