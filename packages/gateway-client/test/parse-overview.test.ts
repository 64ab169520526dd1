import fc from "fast-check";
import { expect, test } from "vitest";
import { parseOverview } from "../src/parse-overview.ts";

const HEAD = { apiVersion: "gateway.kindling/v1", kind: "Overview" };

test("what a gateway does not tell counts as nothing, and what is not known is passed over", () => {
  const document = { ...HEAD, later: 1, queues: [{ path: "etl", later: {} }], applications: [{ waits: ["so"] }] };
  const { queues, applications, capacity } = parseOverview(document, "here");
  expect(queues).toMatchObject([{ path: "etl", weight: 0, ceiling: {}, applications: { SchedulingGated: 0 } }]);
  expect(applications).toMatchObject([{ name: "", executors: { waiting: 0 }, waits: ["so"] }]);
  expect(capacity.total).toEqual({});
});

test("executors that only a driver sees are told by a gateway that knows of it", () => {
  const applications = [{ driver: { pod: "pi-driver" }, virtualExecutors: ["pi-exec-1"] }, {}];
  const [told, older] = parseOverview({ ...HEAD, applications }, "here").applications;
  expect(told).toMatchObject({ driverPod: "pi-driver", virtualExecutors: ["pi-exec-1"] });
  expect(older).not.toHaveProperty("virtualExecutors");
});

test("whose sessions a driver of Spark Connect has is told, and names in it are harmless", () => {
  const connects = [
    { profile: "small", state: "in-use", user: "a\u001b[2Jlice" },
    { profile: "small", state: "in-use" },
    { profile: "small", state: "waiting" },
    { profile: "small", state: "of a later gateway" },
    "no object",
  ];
  const { applications } = parseOverview({ ...HEAD, applications: connects.map((connect) => ({ connect })) }, "here");
  expect(applications.map(({ connect }) => connect)).toEqual([
    { profile: "small", state: "in-use", user: String.raw`a\u{1b}[2Jlice` },
    { profile: "small", state: "in-use" },
    { profile: "small", state: "waiting" },
    { profile: "small", state: "in-use" },
    { profile: "", state: "in-use" },
  ]);
  expect(parseOverview({ ...HEAD, applications: [{}] }, "here").applications[0]).not.toHaveProperty("connect");
});

test("nothing in it moves a terminal's cursor", () => {
  const applications = [{ name: "\u001b[2Jx", waits: ["a\nb"] }];
  expect(parseOverview({ ...HEAD, applications }, "here").applications).toMatchObject([
    { name: String.raw`\u{1b}[2Jx`, waits: ["a b"] },
  ]);
});

test.each([[null], ["text"], [{}], [{ kind: "Status", apiVersion: "v1" }]])("%j is no gateway's", (document) => {
  expect(() => parseOverview(document, "http://here/")).toThrow(
    "what answers at http://here/ is not a gateway of Kindling",
  );
});

test("a later version is named", () => {
  const document = { kind: "Overview", apiVersion: "gateway.kindling/v2" };
  expect(() => parseOverview(document, "here")).toThrow(
    /as gateway\.kindling\/v2, but only gateway\.kindling\/v1 is known/,
  );
});

test("any document is read or refused", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom("queues", "applications", "capacity", "at"), fc.jsonValue()),
      (fields) => {
        const { at, queues } = parseOverview({ ...fields, ...HEAD }, "here");
        expect([Number.isFinite(at), Array.isArray(queues)]).toEqual([true, true]);
      },
    ),
  );
});
