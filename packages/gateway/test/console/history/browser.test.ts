import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BROWSER, BrowserPage } from "../../support/browser.ts";
import { serveHistory } from "../../support/served-history.ts";
import { aKeptRun, RUNS } from "./sample-history.ts";

const PATIENCE = { timeout: 20_000 };
const RUN = "/history/spark-jobs/uid-daily";

async function served(): Promise<string> {
  return await serveHistory({
    list: () => Promise.resolve({ runs: RUNS, next: "more", namespaces: ["ml", "spark-jobs"], asked: 2 }),
    run: () => Promise.resolve(aKeptRun()),
  });
}

describe.skipIf(BROWSER === undefined)("the history in a browser", { timeout: 60_000 }, () => {
  test("loads nothing from elsewhere, is not loaded again and again, and breaks none of its rules", async () => {
    const uri = await served();
    const page = await BrowserPage.open(`${uri}${RUN}`);
    await expect
      .poll(() => page.evaluate("document.querySelector('dd time')?.textContent"), PATIENCE)
      .toMatch(/2026(?!.*UTC)/);
    expect(await page.evaluate("getComputedStyle(document.querySelector('button.copy')).display")).not.toBe("none");
    const own = page.requests.filter((url) => !url.startsWith("data:"));
    expect(own.map((url) => new URL(url).pathname)).toEqual([RUN, "/page.css", "/page.js"]);
    expect(page.complaints).toEqual([]);
  });

  test("can be used with the keyboard alone: from the filter to a run, its log and back to the list", async () => {
    const page = await BrowserPage.open(`${await served()}/history`);
    await expect.poll(() => page.evaluate("document.readyState"), PATIENCE).toBe("complete");
    const reach = async (selector: string): Promise<void> => {
      for (let presses = 0; presses < 60; presses++) {
        await page.press("Tab");
        if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return;
      }
      throw new Error(`Tab does not reach ${selector}`);
    };
    await reach('input[name="name"]');
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    await reach(`a[href="${RUN}"]`);
    await page.press("Enter");
    await expect.poll(() => page.evaluate("location.pathname"), PATIENCE).toBe(RUN);
    await expect.poll(() => page.evaluate("document.readyState"), PATIENCE).toBe("complete");
    await reach('a[href="/history"]');
    await reach("button.copy");
    await reach(`a[href="${RUN}/logs/driver"]`);
    await reach("div.log");
    await reach(`a[href="${RUN}/logs/executor-11"]`);
    await reach('a[href="/history/spark-jobs/uid-before"]');
    await reach("#configuration summary");
  });

  test("shows the end of a log first", async () => {
    const page = await BrowserPage.open(`${await served()}${RUN}`);
    await expect
      .poll(() => page.evaluate("document.querySelector('.log.end')?.scrollHeight > 2_000"), PATIENCE)
      .toBe(true);
    const last = "document.querySelector('.log.end span:last-child').getBoundingClientRect().bottom";
    const box = "document.querySelector('.log.end').getBoundingClientRect().bottom";
    expect(await page.evaluate(`Math.abs(${last} - ${box}) < 30`)).toBe(true);
  });

  test.each([
    ["list", 400, "light"],
    ["list", 400, "dark"],
    ["list", 1400, "light"],
    ["list", 1400, "dark"],
    ["run", 400, "light"],
    ["run", 400, "dark"],
    ["run", 1400, "light"],
    ["run", 1400, "dark"],
  ] as const)("the %s fits into %i pixels, in %s colours", async (what, width, colors) => {
    const page = await BrowserPage.open("about:blank");
    await page.show(width, colors);
    await page.goTo(`${await served()}${what === "list" ? "/history" : RUN}`);
    await expect.poll(() => page.evaluate("document.querySelector('main h2')?.textContent"), PATIENCE).toBeTruthy();
    await expect.poll(() => page.evaluate("document.documentElement.className"), PATIENCE).toBe("scripted");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    const ground = colors === "light" ? "rgb(255, 255, 255)" : "rgb(13, 17, 23)";
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(ground);
    const folder = process.env["KINDLING_PICTURES"];
    if (folder !== undefined)
      writeFileSync(join(folder, `history-${what}-${width}-${colors}.png`), await page.picture());
    await page.evaluate("void document.querySelectorAll('details').forEach((one) => (one.open = true))");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  });
});
