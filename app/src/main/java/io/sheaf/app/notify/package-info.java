/** Notification of people and programs about runs: a command or a web address receives a message. */
@NullMarked
package io.sheaf.app.notify;

import org.jspecify.annotations.NullMarked;
