package io.sheaf.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.page.Page;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The dashboard's colours have enough contrast, and people with a colour vision deficiency can distinguish them.
 *
 * <p>Contrast is that of the Web Content Accessibility Guidelines 2.2: at least 3 to 1 for graphics, 4.5 to 1 for text.
 * Colour vision without one kind of cone is computed after Machado, Oliveira and Fernandes (A physiologically-based
 * model for simulation of color vision deficiency, 2009), with the matrices for a missing cone.
 */
class ColoursTest {
    private static final List<String> STATES = List.of("waiting", "ready", "running", "done", "failed", "skipped");

    private static final Pattern COLOUR = Pattern.compile("--([a-z0-9-]+): (#[0-9a-f]{6});");

    private static final Map<String, double[][]> VISIONS = Map.of(
            "all cones", new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            "protanopia",
                    new double[][] {
                        {0.152286, 1.052583, -0.204868},
                        {0.114503, 0.786281, 0.099216},
                        {-0.003882, -0.048116, 1.051998}
                    },
            "deuteranopia",
                    new double[][] {
                        {0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}
                    },
            "tritanopia",
                    new double[][] {
                        {1.255528, -0.076749, -0.178779},
                        {-0.078411, 0.930809, 0.147602},
                        {0.004733, 0.691367, 0.303900}
                    });

    private final Map<String, String> light = theme("(?s):root \\{(.*?)\\}");
    private final Map<String, String> dark = theme("(?s):root\\[data-theme=\"dark\"\\] \\{(.*?)\\}");

    /** The colours of a theme; the dark theme has those of the light one that it does not define. */
    private static Map<String, String> theme(String block) {
        Map<String, String> colours = new TreeMap<>();
        for (String pattern : List.of("(?s):root \\{(.*?)\\}", block)) {
            for (String text : styleSheets()) {
                Matcher found = Pattern.compile(pattern).matcher(text);
                assertThat(found.find()).isTrue();
                Matcher colour = COLOUR.matcher(found.group(1));
                while (colour.find()) {
                    colours.put(colour.group(1), colour.group(2));
                }
            }
        }
        return colours;
    }

    private static List<String> styleSheets() {
        return List.of(
                Page.resource(Page.class, "page.css"),
                Page.resource(Page.class, "run-view.css"),
                Page.resource(Dashboard.class, "dashboard.css"));
    }

    @Test
    void theSystemAndTheButtonHaveTheSameDarkTheme() {
        for (String text : styleSheets()) {
            Matcher system = Pattern.compile("(?s):root:not\\(\\[data-theme=\"light\"\\]\\) \\{(.*?)\\}")
                    .matcher(text);
            Matcher button = Pattern.compile("(?s):root\\[data-theme=\"dark\"\\] \\{(.*?)\\}")
                    .matcher(text);
            assertThat(system.find() && button.find()).isTrue();
            assertThat(COLOUR.matcher(system.group(1)).results().map(each -> each.group()))
                    .containsExactlyElementsOf(COLOUR.matcher(button.group(1))
                            .results()
                            .map(each -> each.group())
                            .toList());
        }
    }

    @Test
    void contrastMatchesHandComputedExamples() {
        // White has a luminance of 1, black of 0: (1 + 0.05) / (0 + 0.05) = 21.
        assertThat(contrast("#ffffff", "#000000")).isEqualTo(21);
        // The lightest grey for text on white: (1 + 0.05) / (0.1812 + 0.05) = 4.54.
        assertThat(contrast("#767676", "#ffffff")).isBetween(4.54, 4.55);
    }

    @Test
    void statesAndTextsContrastWithThePage() {
        for (Map<String, String> theme : List.of(light, dark)) {
            for (String background : List.of("page", "panel")) {
                for (String state : STATES) {
                    assertContrast(theme, "st-" + state, background, 3);
                }
                for (String part :
                        List.of("hatch", "background", "pilot", "shape", "stopped", "mark", "live", "focus")) {
                    assertContrast(theme, part, background, 3);
                }
                for (String text : List.of("ink", "quiet", "st-failed", "blue", "orange")) {
                    assertContrast(theme, text, background, 4.5);
                }
            }
        }
    }

    /** States with filled boxes. The others have shapes of their own, and failed tasks have a frame as well. */
    @Test
    void filledBoxesDifferByMoreThanHue() {
        for (Map<String, String> theme : List.of(light, dark)) {
            String running = colour(theme, "st-running");
            String done = colour(theme, "st-done");
            String failed = colour(theme, "st-failed");
            assertThat(contrast(running, done)).as("contrast without hue").isGreaterThan(1.5);
            VISIONS.forEach((vision, cones) -> {
                assertThat(difference(running, done, cones)).as(vision).isGreaterThan(40);
                assertThat(difference(done, failed, cones)).as(vision).isGreaterThan(40);
                assertThat(difference(running, failed, cones)).as(vision).isGreaterThan(15);
            });
        }
    }

    private static void assertContrast(Map<String, String> theme, String part, String background, double minimum) {
        assertThat(contrast(colour(theme, part), colour(theme, background)))
                .as("%s %s on %s %s", part, theme.get(part), background, theme.get(background))
                .isGreaterThanOrEqualTo(minimum);
    }

    private static String colour(Map<String, String> theme, String name) {
        return Objects.requireNonNull(theme.get(name), name);
    }

    private static double contrast(String one, String other) {
        double a = luminance(linear(one));
        double b = luminance(linear(other));
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    private static double luminance(double[] rgb) {
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    }

    /** The red, green and blue components, proportional to light. */
    private static double[] linear(String hex) {
        double[] rgb = new double[3];
        for (int i = 0; i < 3; i++) {
            double value = Integer.parseInt(hex.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            rgb[i] = value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
        }
        return rgb;
    }

    /** The distance of two colours in CIELAB (1976), as perceived with these cones; 2.3 is just noticeable. */
    private static double difference(String one, String other, double[][] cones) {
        double[] a = lab(perceived(linear(one), cones));
        double[] b = lab(perceived(linear(other), cones));
        return Math.sqrt(Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2) + Math.pow(a[2] - b[2], 2));
    }

    private static double[] perceived(double[] rgb, double[][] cones) {
        double[] perceived = new double[3];
        for (int i = 0; i < 3; i++) {
            double sum = cones[i][0] * rgb[0] + cones[i][1] * rgb[1] + cones[i][2] * rgb[2];
            perceived[i] = Math.min(1, Math.max(0, sum));
        }
        return perceived;
    }

    /** Converts linear sRGB to CIELAB, with the white point D65. */
    private static double[] lab(double[] rgb) {
        double x = labCurve((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
        double y = labCurve(luminance(rgb));
        double z = labCurve((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.0890);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double labCurve(double value) {
        return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16.0 / 116;
    }
}
