import { expect, test } from "vitest";
import { servePage } from "../../support/served-page.ts";
import { anApplication, anOverview, aQueue } from "./sample-overview.ts";

const GI = 1024 ** 3;

async function textOf(uri: string): Promise<string> {
  return await (await fetch(uri)).text();
}

/** The names of the applications that a page shows. */
function namesIn(page: string): string[] {
  return [...page.matchAll(/<b>([^<]*)<\/b/g)].map(([, name = ""]) => name);
}

test("the page tells of queues and applications, and why they wait", async () => {
  const { uri } = await servePage(anOverview());
  const page = await textOf(uri);
  expect(page).toMatch(/^<!doctype html>/);
  expect(namesIn(page)).toEqual(["report", "sessions", "notebook"]);
  expect(page).toContain("waiting for 5 CPUs in queue adhoc, whose ceiling is 4");
  expect(page).toContain("1 SchedulingGated");
  expect(page).toContain("2 running, 2 starting, 4 waiting (at least 1)");
});

test("a queue's use stands beside the limits of the same resource, whatever it has most of", async () => {
  const limited = aQueue("etl", {
    used: { cpu: 3000, memory: 40 * GI },
    share: 0.625,
    guarantee: { cpu: 2000 },
    ceiling: { cpu: 4000 },
  });
  const { uri } = await servePage(anOverview({ queues: [limited], applications: [] }));
  const page = await textOf(uri);
  expect(page).toContain("62.5% of memory");
  expect(page).toContain("etl, cpu: 3 used, guarantee 2, ceiling 4");
  expect(page).toContain("etl, memory: 40Gi used");
  // Of 16 CPUs: 2 guaranteed, 1 more, and the bar ends at 4.
  expect(page).toContain('class="used" x="0%" width="12.5%"');
  expect(page).toContain('class="borrowed" x="12.5%" width="6.3%"');
  expect(page).toContain('class="closed" x="25%" width="75%"');
  expect(page).not.toContain("(reached)");
});

test("a queue at its ceiling says so, also where no capacity is counted", async () => {
  const capacity = { kind: "unlimited", nodes: 0, total: {}, used: {}, usedByOthers: {} } as const;
  const full = aQueue("adhoc", { used: { cpu: 4000 }, share: 0, ceiling: { cpu: 4000 } });
  const { uri } = await servePage(anOverview({ capacity, queues: [full] }));
  const page = await textOf(uri);
  expect(page).toContain("4 used, ceiling 4 (reached)");
  expect(page).toContain('class="used" x="0%" width="100%"');
});

test("what to type next stands beside an application, as far as there is something to see", async () => {
  const applications = [
    anApplication("report"),
    anApplication("young", { state: "Pending" }),
    anApplication("held", { state: "SchedulingGated" }),
    anApplication("bare", { driver: { pod: "bare-driver" } }),
    anApplication("sealed", { driver: { pod: "sealed-driver", uiPort: 4440, hasUiTls: true } }),
  ];
  const { uri } = await servePage(anOverview({ applications }));
  const page = await textOf(uri);
  const commands = [...page.matchAll(/<code>([^<]*)<\/code>/g)].map(([, command = ""]) => command);
  expect(commands).toEqual([
    "kindling status spark-jobs:report-driver",
    "kindling logs -f spark-jobs:report-driver",
    "kubectl -n spark-jobs port-forward pod/report-driver 4040",
    "kindling status spark-jobs:young-driver",
    "kindling logs -f spark-jobs:young-driver",
    "kindling status spark-jobs:held-driver",
    "kindling status spark-jobs:bare-driver",
    "kindling logs -f spark-jobs:bare-driver",
    "kindling status spark-jobs:sealed-driver",
    "kindling logs -f spark-jobs:sealed-driver",
    "kubectl -n spark-jobs port-forward pod/sealed-driver 4440",
  ]);
  const links = [...page.matchAll(/<a href="(https?:\/\/localhost[^"]*)"/g)].map(([, link]) => link);
  expect(links).toEqual(["http://localhost:4040", "https://localhost:4440"]);
});

test("the chart has a scale, times and a legend", async () => {
  const at = Date.parse("2026-03-01T09:00:00Z");
  const samples = [0, 1, 2].map((hour) => ({ at: at + hour * 3_600_000, running: 8, starting: hour, waiting: 2 }));
  const { uri } = await servePage(anOverview(), samples);
  const page = (await textOf(uri)).replaceAll(/\s+/g, " ");
  expect(page).toContain("<span>12</span><span>6</span><span>0</span>");
  expect([...page.matchAll(/<time class="clock"[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
    "09:00 UTC",
    "10:00 UTC",
    "11:00 UTC",
  ]);
  expect(page).toContain('<span class="key waiting">2 waiting</span>');
});

test("a queue has the applications of those below it, and those that wait can be had alone", async () => {
  const { uri } = await servePage(anOverview());
  expect(namesIn(await textOf(`${uri}?queue=etl`))).toEqual(["report", "sessions"]);
  expect(namesIn(await textOf(`${uri}?show=waiting`))).toEqual(["sessions", "notebook"]);
  expect(await textOf(`${uri}?queue=none&show=waiting`)).toContain("No application waits in queue none.");
});

test("of many applications the first are shown, and how many are not", async () => {
  const applications = Array.from({ length: 1000 }, (_, index) => anApplication(`a${index}`));
  const { uri } = await servePage(anOverview({ applications }));
  const page = await textOf(uri);
  expect(namesIn(page)).toHaveLength(200);
  expect(page).toContain("800 more are not shown.");
});

test("everything is text of this server's, and nothing else is let in", async () => {
  const { uri } = await servePage(
    anOverview({ applications: [anApplication("x", { name: "<script>alert(1)</script>" })] }),
  );
  const response = await fetch(uri);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none';/);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  const page = await response.text();
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  // The Spark UI is at localhost, after its port has been forwarded.
  expect(page).not.toMatch(/ style=| on\w+=|https?:\/\/(?!localhost:4040["<])/);
  // Behind a proxy, the page does not know the path in front of its own.
  for (const [, address = ""] of page.matchAll(/(?:href|src|action)="([^"]*)"/g)) expect(address).not.toMatch(/^\//);
  for (const path of ["page.js", "page.css"]) expect((await fetch(`${uri}${path}`)).status, path).toBe(200);
});

test("what has not changed is not sent again", async () => {
  const served = await servePage(anOverview());
  for (const path of ["", "api/overview", "page.js"]) {
    const etag = (await fetch(`${served.uri}${path}`)).headers.get("etag") ?? "";
    const again = async (tag: string): Promise<number> =>
      (await fetch(`${served.uri}${path}`, { headers: { "if-none-match": tag } })).status;
    expect([await again(etag), await again(`W/${etag}`), await again('"another"')], path).toEqual([304, 304, 200]);
  }
});

test("nothing can be sent to it", async () => {
  const { uri } = await servePage(anOverview());
  const answer = await fetch(uri, { method: "POST", body: "x" });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await fetch(`${uri}api/other`)).status).toBe(404);
});

test("the same is there as JSON, of a version that is named", async () => {
  const overview = anOverview();
  const { uri } = await servePage(overview);
  const document = JSON.parse(await textOf(`${uri}api/overview`)) as unknown;
  expect(document).toEqual({ apiVersion: "gateway.kindling/v1", kind: "Overview", ...overview });
});
