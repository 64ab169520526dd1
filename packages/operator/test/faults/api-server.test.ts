import { systemClock } from "@kindling/outside";
import type { Fault } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { manifest } from "../../src/testing/manifest.ts";
import { OperatedCluster } from "../support/operated-cluster.ts";
import { atOnce } from "./rounds/at-once.ts";
import { ATTENDED, ATTENDED_REASONS } from "./rounds/attended-life.ts";
import { crashRound } from "../../src/testing/rounds/crash-round.ts";
import { embeddedStage } from "./rounds/embedded-stage.ts";
import { namespaceOf, requestKind } from "./rounds/request-kind.ts";

function status(code: number, reason: string): Fault {
  return { kind: "status", status: code, reason, message: "for a test" };
}

interface Trouble {
  readonly what: string;
  readonly fault: Fault;
  /** The fault for reading requests, if it is another one. */
  readonly ofReading?: Fault;
  readonly times: number;
}

/** Faulty answers of the API server, or of a proxy on the way to it, and how often they come. */
const TROUBLES: readonly Trouble[] = [
  // More often than the client repeats a request by itself.
  { what: "429", fault: status(429, "TooManyRequests"), times: 6 },
  { what: "500", fault: status(500, "InternalError"), times: 3 },
  { what: "409 and 410", fault: status(409, "Conflict"), ofReading: status(410, "Expired"), times: 2 },
  { what: "404 of a proxy", fault: { kind: "instead", text: "not found", status: 404 }, times: 2 },
  { what: "page of a proxy", fault: { kind: "instead", text: "<html>", status: 200 }, times: 2 },
  { what: "lost request", fault: { kind: "reset", carriedOut: false }, times: 3 },
  { what: "lost answer", fault: { kind: "reset", carriedOut: true }, times: 2 },
];

/** Many lives take long on a busy machine. */
const TIMEOUT_MS = 240_000;

/** Requests whose cases are the same as those of others. */
const LEFT_OUT = /^(LIST|WATCH) (scheduledsparkapplications|services)$|^TRY|^PATCH services$/;

/** A refusal after which the operator does not retry: an event is not worth it. */
function isFinal(kind: string, { what }: Trouble): boolean {
  return kind === "POST events" && what.startsWith("409");
}

function isReading(kind: string): boolean {
  return /^(LIST|WATCH|GET)/.test(kind);
}

test(
  "whatever requests meet with, an application runs once and each change is told once",
  async () => {
    const stage = await embeddedStage({ operators: systemClock });
    const { api } = stage.cluster;
    const requestsIn = (namespace: string) => api.requests.filter((request) => namespaceOf(request) === namespace);
    expect(await crashRound(stage, "calm", ATTENDED, [])).toMatchObject({ faults: [], reasons: ATTENDED_REASONS });
    const calm = requestsIn("calm");
    const kinds = [...new Set(calm.map(requestKind))].filter((kind) => !LEFT_OUT.test(kind));
    const reads = kinds.filter(isReading);
    const writes = kinds.filter((kind) => !isReading(kind));
    // Each kind of writing request together with one of the reading ones.
    const cases = writes.flatMap((write, index) =>
      TROUBLES.map((trouble, shift) => {
        const read = reads[(index + shift) % reads.length] ?? "";
        const met = [read, write].filter((kind) => !isFinal(kind, trouble));
        const left = new Map(met.map((kind) => [kind, trouble.times]));
        return { title: `${read} and ${write}: ${trouble.what}`, ...trouble, left };
      }),
    );
    api.fault = (request) => {
      const { left, fault, ofReading = fault } = cases[Number(namespaceOf(request).replace("case-", ""))] ?? {};
      const kind = requestKind(request);
      const times = left?.get(kind) ?? 0;
      if (times === 0) return undefined;
      left?.set(kind, times - 1);
      return isReading(kind) ? ofReading : fault;
    };
    const rounds = await atOnce(12, cases, async ({ title, left, times }, index) => {
      const { faults, reasons } = await crashRound(stage, `case-${index}`, ATTENDED, []);
      // For each fault, at most all requests are repeated.
      const isBounded = requestsIn(`case-${index}`).length <= calm.length * (1 + left.size * times);
      return { title, hasMet: [...left.values()].every((rest) => rest < times), faults, reasons, isBounded };
    });
    const wanted = { hasMet: true, faults: [], reasons: ATTENDED_REASONS, isBounded: true };
    expect(rounds).toEqual(cases.map(({ title }) => ({ title, ...wanted })));
  },
  TIMEOUT_MS,
);

const SCHEDULES = "/apis/sparkoperator.k8s.io/v1beta2/namespaces/spark-jobs/scheduledsparkapplications";
const APPLICATIONS = "/apis/sparkoperator.k8s.io/v1beta2/namespaces/spark-jobs/sparkapplications";

const CONFLICT = status(409, "Conflict");
const OF_A_PROXY: Fault = { kind: "instead", text: "not found", status: 404 };
const LOST_REQUEST: Fault = { kind: "reset", carriedOut: false };
const LOST_ANSWER: Fault = { kind: "reset", carriedOut: true };

/** The faults of each kind of request, one after the other. */
const TROUBLES_OF_SCHEDULES: Readonly<Record<string, Fault[]>> = {
  "PUT scheduledsparkapplications status": [CONFLICT, OF_A_PROXY, LOST_ANSWER, LOST_REQUEST],
  "GET scheduledsparkapplications": [OF_A_PROXY, LOST_REQUEST],
  "POST sparkapplications": [LOST_ANSWER, OF_A_PROXY, LOST_REQUEST],
};

interface Named {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

test("whatever its requests meet with, a schedule goes on, and each of its times has one run", async () => {
  const operated = await OperatedCluster.start();
  const { cluster } = operated;
  cluster.script = () => ({ runMilliseconds: 100, exitCode: 0 });
  const left = structuredClone(TROUBLES_OF_SCHEDULES);
  cluster.api.fault = (request) => left[requestKind(request)]?.shift();
  await operated.operate();
  await cluster.send("POST", SCHEDULES, {
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "ScheduledSparkApplication",
    metadata: { name: "pi", namespace: "spark-jobs" },
    spec: { schedule: "@every 1s", successfulRunHistoryLimit: 100, template: manifest("pi").spec },
  });
  await eventually(async () => {
    const { items } = (await cluster.send("GET", APPLICATIONS)) as Named;
    expect(Object.values(left).flat()).toEqual([]);
    expect(items.length).toBeGreaterThanOrEqual(3);
    expect(await cluster.send("GET", `${SCHEDULES}/pi`)).toMatchObject({
      status: { scheduleState: "Scheduled", lastRunName: items.at(-1)?.metadata.name },
    });
  });
  const { items } = (await cluster.send("GET", APPLICATIONS)) as Named;
  const planned = items.map(({ metadata }) => Number(metadata.name.replace(/^pi-/, "").slice(0, -9)));
  // At least a second apart: no run is started again under another name.
  expect(planned.slice(1).every((time, index) => time - (planned[index] ?? 0) >= 1)).toBe(true);
});
