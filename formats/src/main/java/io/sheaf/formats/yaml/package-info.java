/** Sheaf YAML: the workflow language that people write by hand. See docs/reference/sheaf-yaml.md. */
@NullMarked
package io.sheaf.formats.yaml;

import org.jspecify.annotations.NullMarked;
