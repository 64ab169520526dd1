import { expect, test } from "vitest";
import { servePage } from "../support/served-page.ts";
import { anApplication, anOverview } from "./sample-overview.ts";

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
  expect(page).toContain("8 cpu, 16 Gi memory");
  expect(page).toContain("2 running, 2 starting, 4 waiting (at least 1)");
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
  expect(page).not.toMatch(/ style=| on\w+=|https?:\/\//);
  // Behind a proxy the page stands below a path that it does not know.
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
