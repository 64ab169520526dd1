import { expect, test } from "vitest";
import { referencedDefaults } from "../../../src/gather/configuration/referenced-defaults.ts";

test("knows what a key is that nobody has set, in the Spark that reads it", async () => {
  const entries = { "spark.a": "x-${spark.driver.memory}-${spark.kubernetes.allocation.batch.size}" };
  const size = async (version: string): Promise<string | undefined> =>
    (await referencedDefaults(entries, version))["spark.kubernetes.allocation.batch.size"];
  expect(await referencedDefaults(entries, "4.3.0")).toMatchObject({ "spark.driver.memory": "1g" });
  expect(await size("3.5.9")).toBe("5");
  expect(await size("4.1.1")).toBe("10");
  expect(await size("4.3.0")).toBe("20");
});

test("knows what keys are that a submission sets later, for the driver", async () => {
  const text =
    "${spark.driver.port} ${spark.driver.blockManager.port} ${spark.kubernetes.memoryOverheadFactor} ${spark.jars}";
  expect(await referencedDefaults({ "spark.a": text }, "3.5.9")).toEqual({
    "spark.driver.port": "0",
    "spark.driver.blockManager.port": "${spark.blockManager.port}",
    "spark.blockManager.port": "0",
    "spark.kubernetes.memoryOverheadFactor": "0.1",
    "spark.jars": "",
  });
});

test("follows a key that stands for another", async () => {
  const entries = {
    "spark.a": "${spark.kubernetes.driver.securityContext.allowPrivilegeEscalation}",
  };
  expect(await referencedDefaults(entries, "4.3.0")).toMatchObject({
    "spark.kubernetes.securityContext.allowPrivilegeEscalation": "false",
  });
  expect(await referencedDefaults(entries, "4.2.0")).toEqual({});
});

test("knows nothing of keys that are not Spark's, or have no default", async () => {
  expect(await referencedDefaults({ "spark.a": "${spark.etl.day} ${spark.home} ${spark.}" }, "4.3.0")).toEqual({});
});
