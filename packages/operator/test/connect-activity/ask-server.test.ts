import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "@kindling/outside";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createActivityAsker } from "../../src/connect-activity/ask-server.ts";
import { readActivity } from "../../src/connect-activity/read-activity.ts";
import { rememberedActivity } from "../../src/connect-activity/remembered-activity.ts";
import type { ServerActivity } from "../../src/connect-states/server-activity.ts";

const ENDED = "2026-03-01T11:30:00.500GMT";
const JOB = { jobId: 0, status: "SUCCEEDED", submissionTime: "2026-03-01T11:29:00.000GMT", completionTime: ENDED };
const QUERY = { id: 0, status: "COMPLETED", submissionTime: "2026-03-01T11:29:00.000GMT", duration: 61_000 };
const APPLICATIONS = [{ id: "spark-1", attempts: [] }];

describe("what jobs and queries say", () => {
  test.each<[string, unknown, unknown, ServerActivity]>([
    ["nothing", [], [], { kind: "quiet", sinceMs: undefined }],
    ["a job that has ended", [JOB], [], { kind: "quiet", sinceMs: Date.parse("2026-03-01T11:30:00.500Z") }],
    ["a query that ended later", [JOB], [QUERY], { kind: "quiet", sinceMs: Date.parse("2026-03-01T11:30:01Z") }],
    ["a job that runs", [JOB, { ...JOB, status: "RUNNING" }], [QUERY], { kind: "busy" }],
    ["a query that runs without a job", [JOB], [{ ...QUERY, status: "RUNNING" }], { kind: "busy" }],
  ])("%s", (_what, jobs, queries, wanted) => {
    expect(readActivity(jobs, queries)).toEqual(wanted);
  });

  test.each<[unknown, unknown]>([
    [undefined, []],
    [{ message: "no" }, []],
    [[JOB], "text"],
    [[{}], []],
    [[null], []],
    [[{ ...JOB, completionTime: "yesterday", submissionTime: 1 }], []],
  ])("%o is no answer", (jobs, queries) => {
    expect(readActivity(jobs, queries).kind).toBe("unknown");
  });

  test("whatever comes, there is an answer", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (jobs, queries) => {
        expect(["busy", "quiet", "unknown"]).toContain(readActivity(jobs, queries).kind);
      }),
    );
  });
});

/** Something at the place of Spark's UI. */
async function uiWith(
  answers: Readonly<Record<string, unknown>>,
): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const answer = answers[url.split("?")[0] ?? ""];
    response
      .writeHead(answer === undefined ? 404 : 200)
      .end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, asked };
}

async function ask(port: number): Promise<ServerActivity> {
  const asker = createActivityAsker(systemClock);
  onTestFinished(() => asker.close());
  return await asker.ask({ ip: "127.0.0.1", port });
}

describe("asking Spark's UI", () => {
  test("a quiet server says since when", async () => {
    const { port, asked } = await uiWith({
      "/api/v1/applications": APPLICATIONS,
      "/api/v1/applications/spark-1/jobs": [JOB],
      "/api/v1/applications/spark-1/sql": [],
    });
    expect(await ask(port)).toEqual({ kind: "quiet", sinceMs: Date.parse("2026-03-01T11:30:00.500Z") });
    // Without a length there are only the first twenty queries.
    expect(asked[2]).toMatch(/sql\?.*length=100000$/);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["nothing that Spark has", {}, "status 404"],
    ["a page", { "/api/v1/applications": "<html>" }, "JSON"],
    ["no application", { "/api/v1/applications": [] }, "no application"],
  ])("with %s nobody knows", async (_what, answers, why) => {
    const { port } = await uiWith(answers);
    expect(await ask(port)).toEqual({ kind: "unknown", why: expect.stringContaining(why) });
  });

  test("nor without anybody there", async () => {
    const { port } = await uiWith({});
    expect(await ask(port === 1 ? 2 : 1)).toEqual({ kind: "unknown", why: expect.stringContaining("does not answer") });
  });
});

test("a server that works is not asked again at once; one that is quiet is", async () => {
  const answers: ServerActivity[] = [{ kind: "busy" }, { kind: "quiet", sinceMs: 1 }, { kind: "quiet", sinceMs: 2 }];
  let nowMs = 0;
  const remembered = rememberedActivity(
    { ask: () => Promise.resolve(answers.shift() ?? { kind: "unknown", why: "asked too often" }) },
    () => nowMs,
  );
  const place = { ip: "10.1.2.3", port: 4040 };
  expect(await remembered.ask("a", place)).toEqual({ kind: "busy" });
  expect(await remembered.ask("a", place)).toEqual({ kind: "busy" });
  nowMs = 15_000;
  expect(await remembered.ask("a", place)).toEqual({ kind: "quiet", sinceMs: 1 });
  expect(await remembered.ask("a", place)).toEqual({ kind: "quiet", sinceMs: 2 });
});
