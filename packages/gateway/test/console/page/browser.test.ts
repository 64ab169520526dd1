import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BROWSER, BrowserPage } from "../../support/browser.ts";
import { servePage } from "../../support/served-page.ts";
import { anApplication, anOverview, aQueue } from "./sample-overview.ts";

const AT = Date.parse("2026-03-01T09:00:00Z");
const SAMPLES = Array.from({ length: 120 }, (_, index) => ({
  at: AT + index * 20_000,
  running: Math.round(20 + 15 * Math.sin(index / 15)),
  starting: index % 7,
  waiting: Math.max(0, 40 - index),
}));

const PATIENCE = { timeout: 20_000 };

describe.skipIf(BROWSER === undefined)("the page in a browser", { timeout: 60_000 }, () => {
  test("says that it is live, asks nobody else, and breaks none of its rules", async () => {
    const served = await servePage(anOverview(), SAMPLES);
    const page = await BrowserPage.open(served.uri);
    await expect.poll(() => page.evaluate("document.getElementById('freshness')?.textContent"), PATIENCE).toBe("live");
    expect(await page.evaluate("document.title")).toBe("(2 waiting) Kindling gateway");
    expect(
      await page.evaluate("document.querySelector('tr#application-spark-jobs-report-driver time').textContent"),
    ).toMatch(/ ago$/);
    const elsewhere = page.requests.filter((url) => !url.startsWith(served.uri) && !url.startsWith("data:"));
    expect(elsewhere).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  test("shows names as they are, whatever stands in them", async () => {
    const name = `<img src=x onerror="document.title='stolen'">&amp;'"`;
    const connect = { profile: "small", state: "in-use", user: name } as const;
    const served = await servePage(
      anOverview({ applications: [anApplication("x", { name, connect, waits: [name] })] }),
    );
    const page = await BrowserPage.open(served.uri);
    await expect.poll(() => page.evaluate("document.getElementById('freshness')?.textContent"), PATIENCE).toBe("live");
    expect(await page.evaluate("document.querySelector('#application-spark-jobs-x-driver b').textContent")).toBe(name);
    expect(await page.evaluate("document.querySelector('#application-spark-jobs-x-driver li').textContent")).toBe(name);
    const quiet = "[...document.querySelectorAll('#application-spark-jobs-x-driver .quiet')].map((e) => e.textContent)";
    expect(await page.evaluate(quiet)).toContain(`Spark Connect, profile small, of ${name}`);
    expect(await page.evaluate("document.images.length")).toBe(0);
    expect(page.complaints).toEqual([]);
  });

  test("shows what changes, and leaves the focus where it is", async () => {
    const served = await servePage(anOverview());
    const page = await BrowserPage.open(served.uri);
    const rows = "[...document.querySelectorAll('tr[id^=application]')].map(({ id }) => id).join(' ')";
    const before =
      "application-spark-jobs-report-driver application-spark-jobs-sessions-driver application-spark-jobs-notebook-driver";
    await expect.poll(() => page.evaluate(rows), PATIENCE).toBe(before);
    await page.evaluate(
      "document.querySelector('#queue-adhoc a').focus(), document.querySelector('#queue-adhoc a').kept = 1",
    );
    const [report, , notebook] = anOverview().applications;
    served.overview = anOverview({
      queues: [aQueue("new"), ...anOverview().queues],
      applications: [report, anApplication("fresh"), notebook].filter((one) => one !== undefined),
    });
    const after =
      "application-spark-jobs-report-driver application-spark-jobs-fresh-driver application-spark-jobs-notebook-driver";
    await expect.poll(() => page.evaluate(rows), PATIENCE).toBe(after);
    expect(await page.evaluate("document.activeElement.closest('tr').id")).toBe("queue-adhoc");
    expect(await page.evaluate("document.activeElement.kept")).toBe(1);
    expect(await page.evaluate("document.querySelectorAll('tr[id^=queue]').length")).toBe(4);
  });

  test("leaves open what was opened, copies a command, and shows the reader's own times", async () => {
    const served = await servePage(anOverview(), SAMPLES);
    const page = await BrowserPage.open(served.uri);
    await expect.poll(() => page.evaluate("document.getElementById('freshness')?.textContent"), PATIENCE).toBe("live");
    const row = "document.querySelector('#application-spark-jobs-report-driver')";
    await page.evaluate(`${row}.querySelector('summary').click()`);
    await page.evaluate(`${row}.querySelector('.copy').click()`);
    await expect.poll(() => page.evaluate(`${row}.querySelector('.copy').textContent`)).toMatch(/^(Copied|Selected)$/);
    expect(await page.evaluate("getSelection().toString()")).toBe("kindling status spark-jobs:report-driver");
    served.overview = anOverview({ queues: [aQueue("new"), ...anOverview().queues] });
    await expect.poll(() => page.evaluate("document.querySelector('#queue-new') !== null"), PATIENCE).toBe(true);
    expect(await page.evaluate(`${row}.querySelector('details').open`)).toBe(true);
    expect(await page.evaluate("document.querySelector('time.clock').textContent")).toMatch(/^\d+:\d\d/);
    expect(page.complaints).toEqual([]);
  });

  test("says since when the gateway has not answered", async () => {
    const served = await servePage(anOverview());
    const page = await BrowserPage.open(served.uri);
    await expect.poll(() => page.evaluate("document.getElementById('freshness')?.textContent"), PATIENCE).toBe("live");
    await page.evaluate("window.fetch = () => Promise.reject(new TypeError())");
    const text = (): Promise<string> => page.evaluate("document.getElementById('freshness').textContent");
    await expect.poll(text, PATIENCE).toMatch(/^The gateway has not answered since /);
  });

  test("is used with a keyboard: a queue and those that wait are chosen, and the address keeps it", async () => {
    const served = await servePage(anOverview());
    const page = await BrowserPage.open(served.uri);
    await expect.poll(() => page.evaluate("document.getElementById('freshness')?.textContent"), PATIENCE).toBe("live");
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.localName + document.activeElement.textContent.replaceAll(/\\s/g, '')");
    const stops: string[] = [];
    for (let presses = 0; presses < 4; presses++) {
      await page.press("Tab");
      stops.push(await focused());
    }
    expect(stops).toEqual(["aetl", "adaily", "aadhoc", "selectalletletl.dailyadhoc"]);
    await page.press("ArrowDown");
    await page.press("Tab");
    await page.press(" ");
    await page.press("Tab");
    await page.press("Enter");
    await expect.poll(() => page.evaluate("location.search"), PATIENCE).toBe("?queue=etl&show=waiting");
    const names = "[...document.querySelectorAll('tr[id^=application] b')].map((b) => b.textContent).join()";
    await expect.poll(() => page.evaluate(names), PATIENCE).toBe("sessions");
  });

  test.each([
    [1280, "light"],
    [1280, "dark"],
    [360, "light"],
    [360, "dark"],
  ] as const)("fits a screen of %i pixels, %s", async (width, colors) => {
    const long = anApplication("a-rather-long-name-".repeat(4), { queue: "etl.daily.of-the-long-name-of-a-queue" });
    const user = "system:serviceaccount:a-namespace-with-a-long-name:an-account-with-a-longer-name";
    const connect = anApplication("connect-small", { connect: { profile: "small", state: "in-use", user } });
    const parked = anApplication("connect-warm", { connect: { profile: "small", state: "waiting" } });
    const applications = [...anOverview().applications, long, connect, parked];
    const served = await servePage(anOverview({ applications }), SAMPLES);
    const page = await BrowserPage.open(served.uri);
    await page.show(width, colors);
    await expect.poll(() => page.evaluate("document.getElementById('freshness')?.textContent"), PATIENCE).toBe("live");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    const ground = colors === "light" ? "rgb(255, 255, 255)" : "rgb(13, 17, 23)";
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(ground);
    await page.evaluate("void (document.querySelector('details').open = true)");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    const folder = process.env["KINDLING_PICTURES"];
    if (folder !== undefined) writeFileSync(join(folder, `page-${width}-${colors}.png`), await page.picture());
  });
});
