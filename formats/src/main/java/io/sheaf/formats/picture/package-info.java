/** Pictures of workflows, and the kit for all SVG pictures: {@link io.sheaf.formats.picture.Svg}, {@link io.sheaf.formats.picture.Axis}, {@link io.sheaf.formats.picture.Palette}. */
@NullMarked
package io.sheaf.formats.picture;

import org.jspecify.annotations.NullMarked;
