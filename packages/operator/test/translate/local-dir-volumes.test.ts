import type { Volume } from "@kindling/core-spec";
import { describe, expect, it } from "vitest";
import { confOf } from "./an-application.ts";

const NAME = "spark-local-dir-1";
const MOUNT = { name: NAME, mountPath: "/scratch" };

/** The keys for one volume for scratch data, without their common prefix. */
function keysOf(volume: Omit<Volume, "name">, mount: object = MOUNT): Readonly<Record<string, string>> {
  const conf = confOf({
    spec: { volumes: [{ name: NAME, ...volume }] },
    executor: { volumeMounts: [{ ...MOUNT, ...mount }] },
  });
  const prefix = "spark.kubernetes.executor.volumes.";
  return Object.fromEntries(
    Object.entries(conf).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length).replace(`.${NAME}`, ""), value]] : [],
    ),
  );
}

describe("a volume for scratch data", () => {
  it.each<[string, Omit<Volume, "name">, object]>([
    ["emptyDir", { emptyDir: { sizeLimit: "1Gi", medium: "Memory" } }, { sizeLimit: "1Gi", medium: "Memory" }],
    ["hostPath", { hostPath: { path: "/disk", type: "Directory" } }, { path: "/disk", type: "Directory" }],
    [
      "nfs",
      { nfs: { path: "/export", server: "nfs", readOnly: true } },
      { path: "/export", server: "nfs", readOnly: "true" },
    ],
    [
      "persistentVolumeClaim",
      { persistentVolumeClaim: { claimName: "claim", readOnly: false } },
      { claimName: "claim" },
    ],
  ])("is told to Spark: %s", (type, volume, options) => {
    expect(keysOf(volume)).toEqual({
      [`${type}.mount.path`]: "/scratch",
      ...Object.fromEntries(Object.entries(options).map(([name, value]) => [`${type}.options.${name}`, value])),
    });
  });

  it("has of its mount the path, the part and whether it is only read", () => {
    expect(keysOf({ emptyDir: {} }, { subPath: "part", readOnly: true, mountPropagation: "None" })).toEqual({
      "emptyDir.mount.path": "/scratch",
      "emptyDir.mount.subPath": "part",
      "emptyDir.mount.readOnly": "true",
    });
  });

  it("is of the roles that mount it", () => {
    const conf = confOf({ spec: { volumes: [{ name: NAME, emptyDir: {} }] }, driver: { volumeMounts: [MOUNT] } });
    expect(conf[`spark.kubernetes.driver.volumes.emptyDir.${NAME}.mount.path`]).toBe("/scratch");
    expect(conf[`spark.kubernetes.executor.volumes.emptyDir.${NAME}.mount.path`]).toBeUndefined();
  });
});

it("leaves other volumes to the steps", () => {
  const parts = { spec: { volumes: [{ name: "data", emptyDir: {} }] } };
  expect(confOf({ ...parts, driver: { volumeMounts: [{ name: "data", mountPath: "/data" }] } })).toEqual(confOf(parts));
});

it.each([
  ["a mount without its volume", [], "volume spark-local-dir-1 not found"],
  ["a source that Spark does not know", [{ name: NAME, configMap: { name: "map" } }], "unsupported volume type"],
])("refuses %s with stock's words", (_, volumes, words) => {
  expect(() => confOf({ spec: { volumes }, driver: { volumeMounts: [MOUNT] } })).toThrow(
    expect.objectContaining({ code: "CONF_INVALID", message: expect.stringContaining(words) }),
  );
});
