import { Readable } from "node:stream";
import { RecorderError } from "@kindling/recorder-client";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { serveHistory } from "../../support/served-history.ts";
import { aKeptRun, anExecutor, aRun, RUNS } from "./sample-history.ts";

const RUN = "/history/spark-jobs/uid-daily";
const HOSTILE = `\u001b[2J"><img src=x onerror=alert(1)>\u202e`;
const ESCAPED = `\\u{1b}[2J&quot;&gt;&lt;img src=x onerror=alert(1)&gt;\\u{202e}`;

async function shown(uri: string): Promise<string> {
  const answer = await fetch(uri);
  expect(answer.status).toBe(200);
  return await answer.text();
}

test("the list tells how each ended, what it took and why, and goes on with the same filter", async () => {
  const asked: unknown[] = [];
  const uri = await serveHistory({
    list(_, filter) {
      asked.push(filter);
      return Promise.resolve({ runs: RUNS, next: "more", namespaces: ["ml", "spark-jobs"], asked: 2 });
    },
  });
  const page = await shown(`${uri}/history?state=failed&name=da*&continue=here`);
  expect(asked).toMatchObject([{ state: "failed", name: "da*", after: "here" }]);
  for (const text of ["2 executors ran out of memory", "42 min", "16.7", "66.7", "spark-jobs/daily-driver, attempt 2"])
    expect(page).toContain(text);
  expect(page).toContain(`href="${RUN}"`);
  expect(page).toContain('href="/history?state=failed&amp;name=da*&amp;continue=more"'.replace("*", "*"));
  expect(page).toContain('<option value="failed" selected>');
  expect(page).toContain('href="/">Now</a>');
  expect(await shown(uri)).toContain('href="history?namespace=spark-jobs&amp;name=report">Earlier runs</a>');
});

test("who may read more namespaces than one question has room for is told so", async () => {
  const namespaces = Array.from({ length: 201 }, (_, index) => `ns-${index}`);
  const uri = await serveHistory({ list: () => Promise.resolve({ runs: RUNS, namespaces, asked: 200 }) });
  expect(await shown(`${uri}/history`)).toContain("namespaces. The list has the first 200");
});

test("the page of a run has its reasons, figures, executors, stages, other runs and log", async () => {
  const uri = await serveHistory({ run: () => Promise.resolve(aKeptRun()) });
  const page = await shown(`${uri}${RUN}`);
  for (const text of [
    ...[
      "Job aborted due to stage failure",
      "raise spark.executor.memoryOverhead",
      "Task 17 in stage 4.0 failed 4 times",
    ],
    ...["kindling ui spark-jobs:daily-driver", "registry.example.internal/spark/daily", "100 % of them on spot nodes"],
    ...["at most 12 at once, 12 in all", "10 that ended well", "exit code 137: killed (SIGKILL)"],
    ...[
      "count at Daily.scala:7",
      "attempt 1 of the same application",
      "12 Insufficient cpu",
      "spark.sql.shuffle.partitions",
    ],
    ...["Finished task 198.0", `href="${RUN}/logs/driver"`, `href="${RUN}/logs/executor-11"`],
  ])
    expect(page).toContain(text);
  expect(page).not.toContain("logs/executor-1&quot;");
});

test("parts that cannot be read are said to be missing, and the rest is shown", async () => {
  const { record } = aKeptRun();
  const missing = { lives: undefined, stages: [], log: undefined, runs: undefined };
  const run = { ...record, run: aRun("daily"), findings: [], events: [], logs: [] };
  const uri = await serveHistory({ run: () => Promise.resolve({ record: run, ...missing }) });
  const page = await shown(`${uri}${RUN}`);
  for (const text of ["does not tell this at present", "no event log was kept", "log is not kept, or cannot be read"])
    expect(page).toContain(text);
  expect(page).not.toContain("kindling ui");
});

test("nothing that comes from pods is markup, or acts on a terminal", async () => {
  const { record, stages = [] } = aKeptRun();
  const evil = aRun(HOSTILE, {
    uid: "uid-evil",
    driver: "driver",
    why: HOSTILE,
    queue: HOSTILE,
    labels: { a: HOSTILE },
  });
  const kept = aKeptRun({
    record: {
      ...{ ...record, run: evil, image: HOSTILE, node: HOSTILE, configuration: { [HOSTILE]: HOSTILE } },
      findings: record.findings.map((one) => ({ ...one, summary: HOSTILE, details: [HOSTILE], advice: HOSTILE })),
      events: record.events.map((one) => ({ ...one, reason: HOSTILE, message: HOSTILE, pod: HOSTILE })),
      executorEnds: { [HOSTILE]: 1 },
    },
    lives: [anExecutor(1, { pod: HOSTILE, reason: HOSTILE, node: HOSTILE, nodeType: HOSTILE, logGap: HOSTILE })],
    stages: stages.map((stage) => ({ ...stage, name: HOSTILE, failure: HOSTILE })),
    ...{ log: [HOSTILE], runs: [evil, aRun(HOSTILE, { uid: "uid-2", driver: "driver" })] },
  });
  const uri = await serveHistory({
    run: () => Promise.resolve(kept),
    list: () => Promise.resolve({ runs: [evil], namespaces: ["spark-jobs"], asked: 1 }),
    log: () => Promise.resolve({ lines: Readable.from([HOSTILE]), close: () => Promise.resolve() }),
  });
  const query = new URLSearchParams({
    name: HOSTILE,
    queue: HOSTILE,
    namespace: HOSTILE,
    continue: HOSTILE,
  }).toString();
  for (const path of [RUN, "/history", `/history?${query}`]) {
    const page = await shown(`${uri}${path}`);
    expect(page).toContain(ESCAPED);
    expect(page).not.toMatch(/<img|[\u001b\u202e]/);
  }
  expect(await shown(`${uri}${RUN}/logs/driver`)).not.toMatch(/[\u001b\u202e]/);
});

test("a recorder that is away, an odd address and what is not there are said in a sentence", async () => {
  const failures: unknown[] = [];
  const away = new RecorderError("the recorder does not answer: connect ECONNREFUSED 10.0.0.7:8080");
  const odd = new RecorderError("query parameter continue is not understood", { status: 400 });
  const uri = await serveHistory({ run: () => Promise.reject(away), list: () => Promise.reject(odd) }, failures);
  const answers = await Promise.all([RUN, "/history", `${RUN}/logs/driver`].map((path) => fetch(`${uri}${path}`)));
  expect(answers.map(({ status }) => status)).toEqual([503, 400, 404]);
  for (const answer of answers) {
    const text = await answer.text();
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).not.toMatch(/ECONNREFUSED|10\.0\.0\.7| at .*\.ts/);
  }
  expect(failures).toEqual([away]);
  expect((await fetch(`${uri}/history`, { method: "POST" })).status).toBe(405);
  expect((await fetch(`${uri}/history/a/b/c`)).status).toBe(404);
});

test("a user reads a few logs at once; each is closed when its reader goes, or wants the header alone", async () => {
  let closed = 0;
  const uri = await serveHistory({
    log() {
      const lines = new Readable({ objectMode: true, read: () => void lines.push("x".repeat(100_000)) });
      return Promise.resolve({ lines, close: () => Promise.resolve(void closed++) });
    },
  });
  const log = `${uri}${RUN}/logs/driver`;
  expect((await fetch(log, { method: "HEAD" })).status).toBe(200);
  await eventually(() => expect(closed).toBe(1));
  const readers = Array.from({ length: 4 }, () => new AbortController());
  for (const { signal } of readers) expect((await fetch(log, { signal })).status).toBe(200);
  expect((await fetch(log)).status).toBe(429);
  for (const reader of readers) reader.abort();
  await eventually(() => expect(closed).toBe(5));
  const next = new AbortController();
  expect((await fetch(log, { signal: next.signal })).status).toBe(200);
  next.abort();
});
