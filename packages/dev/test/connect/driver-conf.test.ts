import { describe, expect, test } from "vitest";
import { driverConf, isVisible } from "../../src/connect/driver-conf.ts";

describe("the user's folder", () => {
  test.each(["/home/anne", "/home/anne/a b", "/root", "/tmp/x", "/opt/work", "/work"])("%s is visible", (folder) => {
    expect(isVisible(folder)).toBe(true);
  });

  test.each([
    ...[
      "/",
      "/opt",
      "/opt/spark",
      "/opt/spark/work-dir",
      "/var",
      "/var/data",
      "/usr",
      "/usr/share/x",
      "/etc",
      "/lib64",
    ],
    "/home/anne/a:b",
  ])("%s is not: pods have their own, or cannot have it", (folder) => {
    expect(isVisible(folder)).toBe(false);
  });

  test("has the same path in driver and executor", () => {
    const conf = driverConf({ cwd: "/home/anne", warehouse: "/state/warehouse", conf: {} });
    for (const side of ["driver", "executor"]) {
      expect(conf[`spark.kubernetes.${side}.volumes.hostPath.here.mount.path`]).toBe("/home/anne");
      expect(conf[`spark.kubernetes.${side}.volumes.hostPath.here.options.path`]).toBe("/home/anne");
    }
  });
});

test("what the user says wins", () => {
  const conf = { "spark.executor.instances": "3", "spark.sql.warehouse.dir": "s3a://tables" };
  expect(driverConf({ cwd: "/", warehouse: "/state/warehouse", conf })).toMatchObject({
    ...conf,
    "spark.executor.cores": "2",
  });
});
