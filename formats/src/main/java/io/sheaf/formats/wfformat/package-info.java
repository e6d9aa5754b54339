/** WfFormat, the JSON format of WfCommons: versions 1.0 to 1.5 in, 1.5 out. */
@NullMarked
package io.sheaf.formats.wfformat;

import org.jspecify.annotations.NullMarked;
