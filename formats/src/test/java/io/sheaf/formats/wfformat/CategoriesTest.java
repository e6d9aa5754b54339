package io.sheaf.formats.wfformat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CategoriesTest {
    @ParameterizedTest
    @CsvSource({
        // id, name, program, category
        "FASTQC_2, FASTQC, 'fastqc a b', FASTQC",
        "mProject_ID0000001, mProject_ID0000001, mProject, mProject",
        "mProject_ID0000001, , /opt/bin/mProject, mProject",
        "fast2bfq_s_1_ID0000002, , fast2bfq, fast2bfq",
        "mProject_ID0000001, , , mProject",
        "mProject_ID0000001, , mProj, mProject",
        "mProject-12, , , mProject",
        "QC.FASTQC_7, QC.FASTQC_7, 'ls -l', QC.FASTQC",
        "chr21, chr21, , chr21",
        "ID0000001, , tool, tool",
        "17, , , ''",
        "17, , 'a script', ''",
        "17, , -, ''"
    })
    void categoriesAreDerivedFromIdsNamesAndPrograms(String id, String name, String program, String category) {
        Performance performance = new Performance();
        performance.program = program;
        assertThat(Categories.derive(id, name == null ? "" : name, performance)).isEqualTo(category);
    }
}
