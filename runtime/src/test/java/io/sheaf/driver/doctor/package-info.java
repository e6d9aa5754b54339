/** Tests of what is looked at before a run. */
@NullMarked
package io.sheaf.driver.doctor;

import org.jspecify.annotations.NullMarked;
