import type { Decision } from "@kindling/admission";
import { expect, test } from "vitest";
import { decisionCounts } from "../../../src/console/metrics/decision-counts.ts";

const admit = (application: string, executor: string): Decision => ({
  kind: "admit",
  ...{ application, executor, node: undefined },
});

test("decisions count for the queue of the application that they are about", () => {
  const decisions: Decision[] = [
    { kind: "start", application: "a", node: undefined },
    admit("a", "1"),
    admit("b", "1"),
    admit("c", "1"),
    { kind: "decommission", application: "c", executor: "0", inFavourOf: "a", reason: "share" },
    admit("unknown", "1"),
  ];
  const applications = ["a", "b", "c"].map((id) => ({ id, queue: id === "c" ? "adhoc" : "etl" }));
  expect(decisionCounts(decisions, applications)).toEqual([
    { queue: "etl", decision: "start", count: 1 },
    { queue: "etl", decision: "admit", count: 2 },
    { queue: "adhoc", decision: "admit", count: 1 },
    { queue: "adhoc", decision: "decommission", count: 1 },
  ]);
});
