import { DevCluster, HollowRuntime } from "@kindling/devcluster";
import { onTestFinished } from "vitest";
import { startTestTerm, type TestTerm } from "../src/testing/index.ts";

export type HollowTerm = TestTerm<DevCluster>;

/** A term in a hollow cluster; it ends with the test. */
export async function hollowTerm(): Promise<HollowTerm> {
  const term = await startTestTerm(({ clock, random }) =>
    DevCluster.start({ runtime: new HollowRuntime({ clock, random }), clock, authorization: "none" }),
  );
  onTestFinished(() => term.end());
  return term;
}
