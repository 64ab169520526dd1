import { httpTransport, withoutProxy } from "@kindling/http";
import { systemClock } from "@kindling/outside";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectRecorder, type RecorderClient, RecorderError, type Run } from "../src/index.ts";

const RUN: Run = {
  ...{ namespace: "etl", day: "2026-11-21", driver: "daily-driver", uid: "uid-1", id: "spark-1" },
  ...{ application: "spark-1", name: "daily", attempt: 1, state: "succeeded", labels: {}, executors: 2 },
  ...{ started: 1_000, ended: 2_000, usage: [{ spot: false, coreSeconds: 12, gibSeconds: 48 }], bytes: 100 },
};

interface Asked {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A client of a server that answers everything with the next of these documents. */
async function clientOf(
  answers: readonly (readonly [status: number, document: unknown])[],
): Promise<{ readonly recorder: RecorderClient; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const server = await startStub(({ url, headers, body }, response) => {
    const [status, document] = answers[asked.length] ?? [500, {}];
    asked.push({ url, headers, body });
    if (typeof document === "string") response.writeHead(status).end(document);
    else sendJson(response, document, status);
  });
  const limits = { connectTimeoutMs: 5_000, stallTimeoutMs: 5_000, answerTimeoutMs: 5_000 };
  const recorder = connectRecorder({
    uri: new URL(server.url),
    http: httpTransport({ clock: systemClock, tls: {}, proxies: withoutProxy, ...limits }),
    token: () => Promise.resolve("abc"),
    credentialsField: "kindling-authorization",
  });
  onTestFinished(() => recorder.close());
  return { recorder, asked };
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function failure(work: Promise<unknown>): Promise<RecorderError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof RecorderError) return error;
  throw new Error("it should have failed with a RecorderError", { cause: error });
}

test("a list is read page by page, with the token in its field", async () => {
  const { recorder, asked } = await clientOf([
    [200, { runs: [RUN], continue: "more" }],
    [200, { runs: [{ ...RUN, uid: "uid-2" }] }],
  ]);
  const query = { namespace: "etl", states: ["failed", "lost"], labels: { team: "a b" }, since: 0 } as const;
  expect((await all(recorder.runs(query, 1))).map(({ uid }) => uid)).toEqual(["uid-1", "uid-2"]);
  expect(asked[0]?.headers["kindling-authorization"]).toBe("Bearer abc");
  expect(asked.map(({ url }) => [...new URL(url, "http://x").searchParams])).toEqual([
    [
      ["namespace", "etl"],
      ["since", "1970-01-01T00:00:00.000Z"],
      ["limit", "1"],
      ["state", "failed"],
      ["state", "lost"],
      ["label", "team=a b"],
    ],
    [
      ["namespace", "etl"],
      ["since", "1970-01-01T00:00:00.000Z"],
      ["limit", "1"],
      ["continue", "more"],
      ["state", "failed"],
      ["state", "lost"],
      ["label", "team=a b"],
    ],
  ]);
});

test("one page of a list is read, of several namespaces, and names that are none are left out", async () => {
  const { recorder, asked } = await clientOf([
    [200, { runs: [RUN], continue: "more" }],
    [200, { runs: [] }],
    [200, { namespaces: ["etl", "../x", 3] }],
  ]);
  const namespaces = ["etl", "ml"];
  expect(await recorder.runPage({ namespaces }, 5)).toMatchObject({ runs: [{ uid: "uid-1" }], next: "more" });
  expect(await recorder.runPage({ namespaces }, 5, "more")).toEqual({ runs: [] });
  expect(await recorder.namespaces()).toEqual(["etl"]);
  expect(asked.map(({ url }) => url)).toEqual([
    "/api/v1/runs?limit=5&namespace=etl&namespace=ml",
    "/api/v1/runs?limit=5&continue=more&namespace=etl&namespace=ml",
    "/api/v1/namespaces",
  ]);
});

test("the lines of a log come as they are", async () => {
  const { recorder, asked } = await clientOf([[200, "one\n\ntwo"]]);
  expect(await all(recorder.log("uid-1", "executor-7", { tailLines: 3 }))).toEqual(["one", "", "two"]);
  expect(asked[0]?.url).toBe("/api/v1/runs/uid-1/logs/executor-7?tailLines=3");
});

test("what has another form is left out, and nothing of it reaches a terminal", async () => {
  const record = {
    ...{ run: RUN, findings: [{ cause: "New", summary: "bad \u001b[2J" }, 7, { summary: "no cause" }] },
    ...{ events: "none", logs: [{ name: "driver" }, {}], executorEnds: { Completed: 2, Odd: "x" }, image: 7 },
  };
  const { recorder } = await clientOf([[200, record]]);
  const read = await recorder.record("uid-1");
  expect(read).toMatchObject({ run: RUN, events: [], logs: [{ name: "driver", bytes: 0 }] });
  expect(read.executorEnds).toEqual({ Completed: 2 });
  expect(read.findings.map(({ cause }) => cause)).toEqual(["New"]);
  expect(JSON.stringify(read)).not.toContain("\\u001b");
});

describe("an error says", () => {
  test.each([
    [403, { detail: "jane may not", hint: "ask" }, { message: "jane may not", hint: "ask", status: 403 }],
    [404, { kind: "Status", message: "no service" }, { message: "no service", status: 404 }],
    [502, "<html>", { message: "it answers with status 502", status: 502 }],
    [200, "<html>", { message: expect.stringContaining("does not answer as a recorder does") as string }],
    [200, { run: {} }, { message: expect.stringContaining("does not answer as a recorder does") as string }],
  ])("what a status %d with %j means", async (status, document, error) => {
    const { recorder } = await clientOf([[status, document]]);
    expect(await failure(recorder.record("uid-1"))).toMatchObject(error);
  });

  test("that nobody answers", async () => {
    const limits = { connectTimeoutMs: 500, stallTimeoutMs: 500, answerTimeoutMs: 500 };
    const recorder = connectRecorder({
      uri: new URL("http://127.0.0.1:1/"),
      http: httpTransport({ clock: systemClock, tls: {}, proxies: withoutProxy, ...limits }),
      ...{ token: undefined, credentialsField: "authorization" },
    });
    onTestFinished(() => recorder.close());
    expect((await failure(recorder.usage({}, "queue"))).message).toContain("the recorder does not answer");
  });
});

test("the ends of pods are asked for many at once; an answer that is not understood is left out", async () => {
  const ends = [
    { uid: "a", end: "recorded" },
    { uid: "b", end: "unread" },
    { uid: "c", end: "devoured" },
    { uid: 4, end: "unknown" },
    null,
  ];
  const { recorder, asked } = await clientOf([
    [200, { pods: ends }],
    [403, { detail: "you may not delete pods" }],
  ]);
  const pods = ["a", "b", "c"].map((uid) => ({ namespace: "etl", name: `pod-${uid}`, uid }));
  expect([...(await recorder.podEnds(pods))]).toEqual([
    ["a", "recorded"],
    ["b", "unread"],
  ]);
  expect(asked).toMatchObject([
    {
      url: "/api/v1/pods/ends",
      body: JSON.stringify({ pods, waitFor: "some" }),
      headers: { "content-type": "application/json" },
    },
  ]);
  expect((await failure(recorder.podEnds(pods))).message).toBe("you may not delete pods");
});
