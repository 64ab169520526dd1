import type { Run } from "@kindling/recorder-client";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import { smallBrowser } from "@kindling/test-kit/small-browser";
import { expect, test } from "vitest";
import { type RealRecorder, recorderOf } from "../../support/real-recorder.ts";
import { grant, serveSignedIn, signInAs } from "../../support/signed-in-page.ts";

const HOSTILE = "\u001b]0;stolen\u0007<script>alert(1)</script>\u202e &amp;";

interface Ended {
  readonly namespace: string;
  readonly exitCode?: number;
  readonly log?: readonly string[];
}

/** Runs applications with an executor each to their ends, until they are kept. */
async function ended(
  cluster: TestCluster,
  { archive }: RealRecorder,
  applications: Readonly<Record<string, Ended>>,
): Promise<(name: string) => Run> {
  for (const [name, { namespace, exitCode = 0, log = [] }] of Object.entries(applications)) {
    const app = `spark-${name}`;
    const labels = { "spark-app-name": name, "spark-version": "4.1.1" };
    const spec = { restartPolicy: "Never" } as const;
    const driver = await cluster.createPod(
      aPod(`${name}-driver`).driver(app).labels(labels).in(namespace).spec(spec).build(),
    );
    cluster.writeLog(driver, [...log]);
    const executor = await cluster.createPod(aPod(`${name}-exec-1`).executor(1, app).in(namespace).spec(spec).build());
    cluster.writeLog(executor, ["the executor works"]);
    cluster.end(executor, 137);
    cluster.end(driver, exitCode);
  }
  const kept = await eventually(async () => {
    const runs: Run[] = [];
    for await (const run of archive.runs({})) runs.push(run);
    expect(runs.length).toBe(Object.keys(applications).length);
    return runs;
  });
  return (name) => {
    const run = kept.find((one) => one.name === name);
    if (run === undefined) throw new Error(`${name} is not kept`);
    return run;
  };
}

test("the history is for those who may read a namespace's logs, and for them alone", { timeout: 120_000 }, async () => {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  const recorder = await recorderOf(cluster);
  const run = await ended(cluster, recorder, {
    daily: { namespace: "spark-jobs", exitCode: 1, log: ["it begins", HOSTILE] },
    hidden: { namespace: "default" },
  });
  await grant(cluster, { namespace: "spark-jobs", group: "corp:etl", resources: ["pods/log"] });
  const { url, provider, gateway } = await serveSignedIn(cluster, { settings: ["--recorder-uri", recorder.uri] });

  const ada = smallBrowser(provider.ca);
  const list = await signInAs(ada, `${url}/history?state=failed`, "ada");
  expect({ status: list.status, url: list.url.href }).toEqual({ status: 200, url: `${url}/history?state=failed` });
  const daily = `/history/spark-jobs/${run("daily").uid}`;
  expect(list.text).toContain(`href="${daily}"`);
  expect(list.text).not.toContain("hidden");
  expect(list.text).not.toMatch(/default\/|>default</);
  expect(list.headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
  expect(list.headers["cache-control"]).toBe("private, no-cache");
  expect((await ada.open(url)).text).toContain(`<a href="history">History</a>`);

  const page = (await ada.open(`${url}${daily}`)).text;
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e} &amp;amp;");
  expect(page).not.toMatch(/<script>|[\u0007\u001b\u202e]/);
  expect(page).toContain("exit code 137");
  expect(page).toContain(`kindling logs spark-jobs:daily-driver`);
  const log = await ada.open(`${url}${daily}/logs/driver`);
  expect(log.headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(log.headers["x-content-type-options"]).toBe("nosniff");
  expect(log.text).toBe("it begins\n\\u{1b}]0;stolen\\u{7}<script>alert(1)</script>\\u{202e} &amp;\n");
  expect((await ada.open(`${url}${daily}/logs/executor-1`)).text).toBe("the executor works\n");

  // For runs of other namespaces, the answer is the same as for unknown ones.
  const hidden = run("hidden").uid;
  const places = [
    `default/${hidden}`,
    `default/${hidden}/logs/driver`,
    `spark-jobs/${hidden}`,
    `spark-jobs/${hidden}/logs/driver`,
    "spark-jobs/unknown",
    "nowhere/unknown",
    `spark-jobs/${run("daily").uid}/logs/executor-9`,
    "..%2f/unknown",
  ];
  const answers = await Promise.all(places.map((place) => ada.open(`${url}/history/${place}`)));
  expect(answers.map(({ status }) => status)).toEqual(places.map(() => 404));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect((await ada.open(`${url}/history?namespace=default`)).text).not.toContain("hidden");
  expect((await ada.open(`${url}/history?continue=x`)).status).toBe(400);

  const bob = smallBrowser(provider.ca);
  const nothing = await signInAs(bob, `${url}/history`, "bob");
  expect(nothing.text).toContain("Nothing is kept of a namespace in which you may read the logs");
  expect((await bob.open(`${url}${daily}`)).status).toBe(404);
  expect((await bob.open(`${url}${daily}/logs/driver`)).status).toBe(404);
  // The page on the admin port asks nobody who he is.
  expect((await fetch(`${gateway.adminUri}history`)).status).toBe(404);
  expect(await (await fetch(gateway.adminUri)).text()).not.toContain("history");

  await recorder.stop();
  for (const path of ["/history", daily, `${daily}/logs/driver`]) {
    const away = await ada.open(`${url}${path}`);
    expect(away.status).toBe(503);
    expect(away.text).toContain("does not answer");
    expect(away.text).not.toContain(recorder.uri);
  }
  expect((await ada.open(url)).status).toBe(200);
});

test("without a recorder there is no history, and no link to it", { timeout: 60_000 }, async () => {
  const { url, provider } = await serveSignedIn(await TestCluster.start({ authorization: "rbac" }));
  const ada = smallBrowser(provider.ca);
  const page = await signInAs(ada, url, "ada");
  expect(page.status).toBe(200);
  expect(page.text).not.toContain("history");
  expect((await ada.open(`${url}/history`)).status).toBe(404);
});
