import { expect, test } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { plannedBy } from "../fixtures/planned-arguments.ts";
import { conf } from "../fixtures/submission.ts";

test("the flag --steps replaces the key", async () => {
  const step = (name: string): string => `export default {
    name: "${name}",
    configureDriver: (spec, { appName }) => ({ ...spec, driverPod: { ...spec.driverPod,
      metadata: { ...spec.driverPod.metadata, annotations: { ${name}: appName } } } }),
  };`;
  const { path: cwd } = scratchFolder({ "a.mjs": step("a"), "b.mjs": step("b") });
  const keys = conf({ "spark.kindling.steps": "./b.mjs", "spark.kubernetes.container.image": "spark:4.3.0" });
  const named = ["--name", "etl", ...keys];
  const byKey = await plannedBy([...named, "local:///app.py"], { cwd });
  expect(byKey.plan.objects.pod.metadata?.annotations).toEqual({ b: "etl" });
  const byFlag = await plannedBy(["--steps", "./a.mjs", ...named, "local:///app.py"], { cwd });
  expect(byFlag.plan.objects.pod.metadata?.annotations).toEqual({ a: "etl" });
});
