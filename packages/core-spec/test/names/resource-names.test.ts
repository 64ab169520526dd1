import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applicationId,
  appNameLabel,
  configMapName,
  isDnsLabel,
  isDnsSubdomain,
  resourceNamePrefix,
  uniqueId,
} from "../../src/index.ts";

const ID = "0123456789abcdef";

describe("names", () => {
  test.each([
    ["org.example.Main", `org-example-main-${ID}`],
    ["My App_v1.0 / Ünï 数据!", `my-app-v1-0-n-${ID}`],
    ["9lives", `xlives-${ID}`],
    ["---", ID.replace("0", "x")],
  ])("objects of %j begin with %s", (name, prefix) => expect(resourceNamePrefix(name, ID)).toBe(prefix));

  test.each([
    ["My App_v1.0 / Ünï 数据!", "my-app-v1-0-n"],
    ["---", ""],
    ["a".repeat(80), "a".repeat(63)],
    [`${"a".repeat(62)}-b`, "a".repeat(62)],
  ])("the label of %j is %j", (name, label) => expect(appNameLabel(name)).toBe(label));

  test("whatever the application is called, the label is one that Kubernetes takes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const label = appNameLabel(name);
        expect(label === "" || isDnsLabel(label)).toBe(true);
      }),
    );
  });

  test("whatever a short application is called, its pod's name is one that Kubernetes takes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), (name) => {
        expect(isDnsSubdomain(`${resourceNamePrefix(name, ID)}-driver`)).toBe(true);
      }),
    );
  });

  test("application ids and unique ids have Spark's form", () => {
    expect(applicationId("01234567-89ab-4def-8123-456789abcdef")).toBe("spark-0123456789ab4def8123456789abcdef");
    expect(uniqueId(new Uint8Array([0, 0x1f, 0xff]), 0x19a_1fe7_8c44)).toBe("001fff9a1fe78c44");
    expect(uniqueId(new Uint8Array([1, 2, 3]), 5)).toBe("0102035");
  });

  test("ConfigMap names are cut, not refused", () => {
    expect(configMapName("spark-drv-x")).toBe("spark-drv-x-conf-map");
    expect(configMapName("p".repeat(300))).toHaveLength(253);
  });
});
