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

/** A page of the browser. It records errors of scripts and violations of the content security policy. */
final class Tab implements AutoCloseable {
    /** The folder of screenshots. */
    private static final Path PICTURES = Path.of("target/pictures").toAbsolutePath();

    private final BrowserContext context;
    private final Page page;
    private final List<String> problems = new ArrayList<>();

    Tab(BrowserContext context) {
        this.context = context;
        page = context.newPage();
        page.onPageError(problems::add);
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                problems.add(message.text());
            }
        });
    }

    Page page() {
        return page;
    }

    /** Opens an address and returns the status of the response; 200 for a file. */
    int open(String address) {
        // There is no response if only the fragment of the address differs.
        Response response = page.navigate(address);
        return response == null ? 200 : response.status();
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

    /** Drags the mouse from one place of an element to another, in steps. */
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

    /** Simulates a colour vision deficiency, for example {@code deuteranopia}; {@code none} ends that. */
    void vision(String deficiency) {
        JsonObject parameters = new JsonObject();
        parameters.addProperty("type", deficiency);
        context.newCDPSession(page).send("Emulation.setEmulatedVisionDeficiency", parameters);
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
