import { submitRecordings, type SubmitRecording } from "@kindling/recordings";
import { describe, expect, test } from "vitest";
import { generateCase } from "../src/cases/generate.ts";
import { compare, verdictOf } from "../src/compare/compare.ts";
import { kindOf } from "../src/compare/kind.ts";
import type { Outcome } from "../src/run/side.ts";

const KASE = { ...generateCase(1, 0, { sparkKeys: ["spark.ui.port"] }), features: ["flags"] };

function recorded(name: string): SubmitRecording {
  const found = submitRecordings().find((one) => one.name === name && one.sparkVersion === "4.3.0");
  if (found === undefined) throw new Error(`there is no recording ${name}`);
  return found;
}

/** The recorded result of the real spark-submit. */
function outcome({ exit, stderr = [], objects }: SubmitRecording, changes: Partial<Outcome> = {}): Outcome {
  const nothing = { out: "", properties: [], deletions: [], wrote: exit === 0, uploads: {}, handedOver: undefined };
  return { ...nothing, exit, err: stderr.join("\n"), objects, ...changes };
}

const refusalOf = (err: string, exit = 1): Partial<Outcome> => ({ exit, err, objects: {}, wrote: false });

describe("submissions", () => {
  const real = outcome(recorded("memory"));

  test("that made the same are equal", () => {
    expect(compare(KASE, real, outcome(recorded("memory")))).toEqual([]);
    expect(verdictOf(real)).toBe("equal");
  });

  test("that made other objects differ by the fields", () => {
    const differing = compare(
      KASE,
      real,
      outcome(recorded("memory"), { objects: recorded("java-options-empty").objects }),
    );
    expect(differing.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/resources\.limits\.memory: want "\w+", got "\w+"/),
    );
    expect(new Set(differing.map(({ aspect }) => aspect))).toEqual(new Set(["objects"]));
  });

  test("that differ in uploads, deletions or lines of properties differ by these", () => {
    const ours = outcome(recorded("memory"), { uploads: { a: "1" }, deletions: ["x"], properties: ["a=b"] });
    expect(compare(KASE, real, ours).map(({ aspect }) => aspect)).toEqual(["properties", "deletions", "uploads"]);
  });

  test("of which one is refused differ by that", () => {
    const ours = outcome(recorded("memory"), refusalOf("error: --conf: no"));
    expect(compare(KASE, real, ours)).toEqual([
      { aspect: "exit", text: "kindling refuses it (1), spark-submit does not: error: --conf: no" },
    ]);
    expect(compare(KASE, ours, real)[0]?.text).toContain("spark-submit refuses it (1), kindling does not");
  });
});

describe("refusals", () => {
  const real = outcome(recorded("cores-0"));
  const against = (err: string, changes: Partial<Outcome> = {}): string[] =>
    compare(KASE, real, outcome(recorded("cores-0"), { ...refusalOf(err, real.exit), ...changes })).map(
      ({ aspect }) => aspect,
    );

  test("that speak of the same thing are equal", () => {
    expect(against("error: spark.driver.cores, spark.executor.cores: no\n")).toEqual([]);
    expect(verdictOf(real)).toBe("refused by both");
  });

  test("that speak of something else differ in their subject", () => {
    expect(against("error: something is wrong\n")).toEqual(["subject"]);
  });

  test("without a word, after a write, or with another exit code differ", () => {
    expect(against("", {})).toContain("refusal");
    expect(against("error: spark.driver.cores, spark.executor.cores", { wrote: true })).toEqual(["refusal"]);
    expect(against("error: spark.driver.cores, spark.executor.cores", { exit: 2 })).toEqual(["refusal"]);
  });
});

describe("client mode", () => {
  const real = outcome(recorded("memory"), { exit: 77, out: "client mode: a\n", objects: {} });

  test("is handed over as it was given", () => {
    const ours = (handedOver: Outcome["handedOver"]): Outcome =>
      outcome(recorded("memory"), { exit: 77, objects: {}, handedOver });
    expect(compare(KASE, real, ours("unchanged"))).toEqual([]);
    expect(compare(KASE, real, ours("changed"))).toHaveLength(1);
    expect(compare(KASE, real, ours(undefined))).toHaveLength(1);
  });
});

test("differences of a kind are the same, whatever their values are", () => {
  const of = (text: string): string => kindOf({ aspect: "objects", text });
  expect(of('Pod/a-1.spec.x: want "a", got "b"')).toBe(of('Pod/b-22.spec.x: want "c", got "d"'));
  expect(of('Pod/a-1.spec.x: want "a", got "b"')).not.toBe(of('Pod/a-1.spec.y: want "a", got "b"'));
});
