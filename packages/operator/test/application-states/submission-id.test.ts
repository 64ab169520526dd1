import fc from "fast-check";
import { expect, test } from "vitest";
import {
  fingerprintOf,
  isSpecChanged,
  nextSubmissionId,
  submittedSpec,
} from "../../src/application-states/submission-id.ts";
import { application } from "./views.ts";

test("an id is a UUID of version 8 that says which spec was submitted", () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 31 }), fc.uuid(), fc.string(), (generation, before, mainClass) => {
      const of = application({ submissionID: before }, { mainClass }, generation);
      const id = nextSubmissionId(of);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(nextSubmissionId(of)).toBe(id);
      expect(submittedSpec(id)).toEqual({ generation: generation % 2 ** 24, fingerprint: fingerprintOf(of.spec) });
    }),
  );
});

test("another attempt, another object and another spec have other ids", () => {
  const of = application();
  const first = nextSubmissionId(of);
  const others = [
    application({ submissionID: first }),
    { ...of, metadata: { ...of.metadata, uid: "another" } },
    application({}, { arguments: ["100"] }),
    application({}, {}, 2),
  ].map(nextSubmissionId);
  expect(new Set([first, ...others]).size).toBe(5);
});

test("stock's ids say nothing", () => {
  expect(submittedSpec("7d444840-9dc0-41d1-b245-5ffdce74fad2")).toBeUndefined();
  expect(submittedSpec("")).toBeUndefined();
});

test.each([
  ["suspend", { suspend: true }, false],
  ["timeToLiveSeconds", { timeToLiveSeconds: 5 }, false],
  ["arguments", { arguments: ["5"] }, true],
])("an edit of %s is a change of the spec: %o %s", (_, spec, isChange) => {
  const submitted = submittedSpec(nextSubmissionId(application()));
  if (submitted === undefined) throw new Error("no id of ours");
  expect(isSpecChanged(application({}, spec, 2), submitted, false)).toBe(isChange);
  // Defaults of a new CRD do not change the generation.
  expect(isSpecChanged(application({}, spec, 1), submitted, false)).toBe(false);
});

test("the order of keys is no change", () => {
  const submitted = submittedSpec(nextSubmissionId(application({}, { sparkConf: { a: "1", b: "2" } })));
  if (submitted === undefined) throw new Error("no id of ours");
  expect(isSpecChanged(application({}, { sparkConf: { b: "2", a: "1" } }, 2), submitted, false)).toBe(false);
});

test("with the gate, scheduling of executors is no change", () => {
  const submitted = submittedSpec(nextSubmissionId(application({}, { executor: {} })));
  if (submitted === undefined) throw new Error("no id of ours");
  const edited = application({}, { executor: { nodeSelector: { disk: "ssd" }, priorityClassName: "high" } }, 2);
  expect(isSpecChanged(edited, submitted, false)).toBe(true);
  expect(isSpecChanged(edited, submitted, true)).toBe(false);
});
