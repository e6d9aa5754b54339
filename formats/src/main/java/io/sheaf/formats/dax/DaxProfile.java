package io.sheaf.formats.dax;

import java.util.Locale;

/** A {@code profile} element: a wish for the execution of a job, addressed to one of several systems. */
record DaxProfile(String namespace, String key, String value, long place) {
    /** Reads the profile at which the cursor stands. */
    static DaxProfile read(XmlCursor xml) {
        long place = xml.place();
        String namespace = xml.required("namespace").toLowerCase(Locale.ROOT);
        String key = xml.required("key");
        return new DaxProfile(namespace, key, xml.text(), place);
    }
}
