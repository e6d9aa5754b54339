package io.sheaf.formats.wfformat;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IdentifiersTest {
    @Test
    void rewritesOnlyCharactersThatTheSchemaForbids() {
        assertThat(Identifiers.ofTask("a-b_c.d#1")).isEqualTo("a-b_c.d#1");
        assertThat(Identifiers.ofTask("a b/c")).isEqualTo("a#0020b#002fc");
        assertThat(Identifiers.ofTask("a#0020b")).isEqualTo("a#00230020b");
        assertThat(Identifiers.ofTask("ä#")).isEqualTo("#00e4#0023");
        assertThat(Identifiers.ofFile("s3://x/y")).isEqualTo("s3://x/y");
        assertThat(Identifiers.ofFile("")).isEqualTo("#0000#");
    }

    @Test
    void differentIdsStayDifferent() {
        String letters = "#0a2 \u0000";
        RandomStream random = new RandomStream(1);
        Map<String, String> seen = new HashMap<>();
        seen.put(Identifiers.ofFile(""), "");
        for (int i = 0; i < 50_000; i++) {
            StringBuilder id = new StringBuilder();
            int length = random.between(1, 9);
            for (int j = 0; j < length; j++) {
                id.append(letters.charAt(random.nextInt(letters.length())));
            }
            String written = Identifiers.ofFile(id.toString());
            assertThat(written).matches("[0-9a-zA-Z-_./:#]+");
            String other = seen.put(written, id.toString());
            assertThat(other == null || other.contentEquals(id)).isTrue();
        }
    }
}
