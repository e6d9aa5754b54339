package io.sheaf.browser;

import com.google.gson.JsonObject;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Mouse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.BoundingBox;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** One page of the browser; it remembers what pages complained of: errors of scripts, and what their content policy kept from them. */
final class Tab implements AutoCloseable {
    /** Where pictures are kept. */
    private static final Path PICTURES = Path.of("target/pictures").toAbsolutePath();

    private final BrowserContext context;
    private final Page page;
    private final List<String> problems = new ArrayList<>();

    Tab(BrowserContext context) {
        this.context = context;
        page = context.newPage();
        page.onPageError(problems::add);
        page.onConsoleMessage(said -> {
            if (said.type().equals("error")) {
                problems.add(said.text());
            }
        });
    }

    Page page() {
        return page;
    }

    /** Opens an address; the status of the answer, 200 for a file. */
    int open(String address) {
        // Where only what is behind # differs there is no answer.
        Response answer = page.navigate(address);
        return answer == null ? 200 : answer.status();
    }

    Locator find(String selector) {
        return page.locator(selector).first();
    }

    String text(String selector) {
        return Objects.requireNonNullElse(find(selector).textContent(), "");
    }

    /** Waits until an expression of the page is true. */
    void await(String expression) {
        page.waitForFunction("() => Boolean(" + expression + ")");
    }

    Object eval(String expression) {
        return page.evaluate(expression);
    }

    void key(String key) {
        page.keyboard().press(key);
    }

    /** Moves the mouse from one place of an element to another, with the button down, in steps. */
    void drag(String selector, double fromX, double fromY, double toX, double toY, int steps) {
        Locator element = find(selector);
        element.scrollIntoViewIfNeeded();
        BoundingBox box = element.boundingBox();
        Mouse mouse = page.mouse();
        mouse.move(box.x + fromX * box.width, box.y + fromY * box.height);
        mouse.down();
        mouse.move(box.x + toX * box.width, box.y + toY * box.height, new Mouse.MoveOptions().setSteps(steps));
        mouse.up();
    }

    /** Shows pages as people see them who lack a kind of cone: {@code deuteranopia}, {@code protanopia}, {@code tritanopia}; or {@code none}. */
    void vision(String deficiency) {
        JsonObject what = new JsonObject();
        what.addProperty("type", deficiency);
        context.newCDPSession(page).send("Emulation.setEmulatedVisionDeficiency", what);
    }

    /** Saves a screenshot of the whole page. */
    void picture(String name) {
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(PICTURES.resolve(name + ".png"))
                .setFullPage(true));
    }

    List<String> problems() {
        return List.copyOf(problems);
    }

    @Override
    public void close() {
        context.close();
    }
}
