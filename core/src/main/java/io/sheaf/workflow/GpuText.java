package io.sheaf.workflow;

import io.sheaf.text.InputException;
import java.util.Map;
import java.util.TreeMap;

/**
 * GPUs as people write them: a number of any type, or numbers of types, {@code a100:2,v100:1}. A type alone is one GPU; a share of a GPU is a type of
 * its own, {@code 1g.5gb:3}.
 */
public final class GpuText {
    private static final String FORM = "[A-Za-z][A-Za-z0-9_.-]*|[0-9]+g\\.[A-Za-z0-9_.-]+";

    private GpuText() {}

    /** The resources with these GPUs: all of them together, and those of each type as named resources. */
    public static Resources on(Resources plain, String text) {
        Map<String, Long> named = new TreeMap<>(plain.named().map());
        named.keySet().removeIf(name -> name.startsWith(NamedAmounts.GPU));
        long sum = 0;
        for (String each : text.strip().split(",", -1)) {
            String part = each.strip();
            int colon = part.lastIndexOf(':');
            boolean number = part.matches("[0-9]{1,6}");
            String type = number ? "" : colon < 0 ? part : part.substring(0, colon);
            String count = number ? part : colon < 0 ? "1" : part.substring(colon + 1);
            if (!count.matches("[0-9]{1,6}") || !(number || type.matches(FORM))) {
                throw new InputException("'" + text + "' is not a number of GPUs; write 2, a100:2 or a100:2,v100:1");
            }
            sum += Long.parseLong(count);
            if (!number) {
                named.merge(NamedAmounts.GPU + type, Long.parseLong(count), Long::sum);
            }
        }
        return plain.gpus(Math.toIntExact(sum)).named(NamedAmounts.of(named));
    }

    /** The GPUs of resources in the same form. */
    public static String text(Resources resources) {
        StringBuilder text = new StringBuilder();
        long typed = 0;
        for (int i = 0; i < resources.named().size(); i++) {
            String name = resources.named().name(i);
            if (name.startsWith(NamedAmounts.GPU)) {
                text.append(text.length() == 0 ? "" : ",").append(name.substring(NamedAmounts.GPU.length()));
                text.append(':').append(resources.named().amount(i));
                typed += resources.named().amount(i);
            }
        }
        return typed < resources.gpus()
                ? (resources.gpus() - typed) + (typed == 0 ? "" : "," + text)
                : text.length() == 0 ? "0" : text.toString();
    }
}
