import { KindlingError } from "@kindling/core-spec";
import { kubeError } from "@kindling/kube";
import { expect, test } from "vitest";
import { lastingFaultText } from "../../../src/controllers/submission/passing-fault.ts";

const NONE = { reason: "", serverMessage: "404 page not found", causes: [], retryAfterSeconds: undefined };

function answer(status: number, details?: { readonly name: string }): Error {
  const of = details && { kind: "podgroups", group: undefined, ...details };
  const fault = { kind: "status" as const, status, ...NONE, details: of };
  return kubeError(fault, "POST /podgroups: 404", { method: "POST", path: "/podgroups", attempts: 1 });
}

test("a path that the API server does not know is told as a kind that is not installed", () => {
  const wrapped = new KindlingError("CLUSTER_REFUSED", "it failed", { cause: answer(404) });
  for (const error of [answer(404), wrapped])
    expect(lastingFaultText(error)).toBe(
      `${error.message} (the cluster does not know this kind: install what brings it, such as the scheduler that is named)`,
    );
  for (const error of [answer(503), answer(404, { name: "pi" }), new Error("away")])
    expect(lastingFaultText(error)).toBe(error.message);
});
