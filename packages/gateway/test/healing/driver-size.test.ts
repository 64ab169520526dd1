import type { KubeObject } from "@kindling/kube-objects";
import { aPod } from "@kindling/test-kit/a-pod";
import fc from "fast-check";
import { expect, test } from "vitest";
import { driverSize, withDriverSize } from "../../src/healing/driver-size.ts";

const ARGS = ["driver", "--properties-file", "/opt/spark/conf/spark.properties", "--class", "Main", "local:///a.jar"];

function driver(args: string[] = ARGS): KubeObject {
  const resources = { requests: { cpu: "1", memory: "1408Mi" }, limits: { memory: "1408Mi" } };
  const built = aPod("etl-driver")
    .labels({ "spark-role": "driver" })
    .container("spark-kubernetes-driver", { args, resources })
    .stored();
  return built as unknown as KubeObject;
}

test("a driver's heap is what its configuration says, or what an earlier gateway has set", () => {
  expect(driverSize(driver(), 1024)).toEqual({ heap: 1024, total: 1408, slots: 1 });
  expect(driverSize(driver(["driver", "--conf", "spark.driver.memory=2048m", ...ARGS.slice(1)]), 1024)?.heap).toBe(
    2048,
  );
  expect(driverSize(driver(), undefined)).toBeUndefined();
});

test.each([[[]], [["--conf", "a=b", "driver"]], [["sh", "-c", "exit 1"]]])(
  "a container that Spark's submission has not made has no size: %j",
  (args) => {
    expect(driverSize(driver(args), 1024)).toBeUndefined();
  },
);

test("what is written can be read, however often, and the other arguments stay", () => {
  const amount = fc.integer({ min: 1, max: 1_000_000 });
  const sizes = fc.array(fc.record({ heap: amount, total: amount, slots: fc.constant(1) }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(sizes, (all) => {
      const written = all.reduce((pod, size) => withDriverSize(pod, size), driver());
      const last = all.at(-1);
      expect(driverSize(written, 1)).toEqual(last);
      expect(written).toEqual(withDriverSize(driver(), last ?? { heap: 1, total: 1, slots: 1 }));
      expect(JSON.stringify(written)).toContain(`spark.driver.memory=${last?.heap}m","--properties-file"`);
    }),
  );
});
