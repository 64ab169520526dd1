import { systemClock } from "@kindling/outside";
import type { Fault } from "@kindling/test-kit/api-recorder";
import { expect, test } from "vitest";
import { atOnce } from "./rounds/at-once.ts";
import { ATTENDED, ATTENDED_REASONS } from "./rounds/attended-life.ts";
import { crashRound } from "./rounds/crash-round.ts";
import { embeddedStage } from "./rounds/embedded-stage.ts";
import { namespaceOf, requestKind } from "./rounds/request-kind.ts";

function status(code: number, reason: string): Fault {
  return { kind: "status", status: code, reason, message: "for a test" };
}

interface Trouble {
  readonly what: string;
  readonly fault: Fault;
  readonly times: number;
}

/** What the API server, or something on the way to it, answers, and how often. */
const TROUBLES: readonly Trouble[] = [
  // Oftener than the client repeats a request by itself.
  { what: "429", fault: status(429, "TooManyRequests"), times: 6 },
  { what: "500", fault: status(500, "InternalError"), times: 3 },
  { what: "409", fault: status(409, "Conflict"), times: 2 },
  { what: "410", fault: status(410, "Expired"), times: 2 },
  { what: "404 of a proxy", fault: { kind: "instead", text: "not found", status: 404 }, times: 2 },
  { what: "page of a proxy", fault: { kind: "instead", text: "<html>", status: 200 }, times: 2 },
  { what: "lost request", fault: { kind: "reset", carriedOut: false }, times: 3 },
  { what: "lost answer", fault: { kind: "reset", carriedOut: true }, times: 2 },
];

/** What meets with the same as others. */
const LEFT_OUT = /^(LIST|WATCH) (scheduledsparkapplications|services)$/;

/** A refusal that is meant: an event is not worth another try. */
function isFinal(kind: string, { what }: Trouble): boolean {
  return kind === "POST events" && what === "409";
}

test("whatever requests meet with, an application runs once and each change is told once", async () => {
  const stage = await embeddedStage({ operators: systemClock });
  const { api } = stage.cluster;
  const requestsIn = (namespace: string) => api.requests.filter((request) => namespaceOf(request) === namespace);
  expect(await crashRound(stage, "calm", ATTENDED, [])).toMatchObject({ faults: [], reasons: ATTENDED_REASONS });
  const calm = requestsIn("calm");
  const kinds = [...new Set(calm.map(requestKind))].filter((kind) => !LEFT_OUT.test(kind));
  const [reads, writes] = [true, false].map((isRead) => kinds.filter((kind) => /^(LIST|WATCH|GET)/.test(kind) === isRead));
  // Each kind of reading together with one of writing.
  const cases = (reads ?? []).flatMap((read, index) =>
    TROUBLES.map((trouble, shift) => {
      const write = writes?.[(index + shift) % writes.length] ?? "";
      const left = new Map([read, write].filter((kind) => !isFinal(kind, trouble)).map((kind) => [kind, trouble.times]));
      return { title: `${read} and ${write}: ${trouble.what}`, ...trouble, left };
    }),
  );
  api.fault = (request) => {
    const { left, fault } = cases[Number(namespaceOf(request).replace("case-", ""))] ?? {};
    const kind = requestKind(request);
    const times = left?.get(kind) ?? 0;
    if (times === 0) return undefined;
    left?.set(kind, times - 1);
    return fault;
  };
  const rounds = await atOnce(12, cases, async ({ title, left, times }, index) => {
    const { faults, reasons } = await crashRound(stage, `case-${index}`, ATTENDED, []);
    // Each time, no more than all is done again.
    const isBounded = requestsIn(`case-${index}`).length <= calm.length * (1 + left.size * times);
    return { title, hasMet: [...left.values()].every((rest) => rest < times), faults, reasons, isBounded };
  });
  const wanted = { hasMet: true, faults: [], reasons: ATTENDED_REASONS, isBounded: true };
  expect(rounds).toEqual(cases.map(({ title }) => ({ title, ...wanted })));
});
