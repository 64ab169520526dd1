import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  apiVersionOf,
  canonicalTime,
  defined,
  formatMicroTime,
  formatTime,
  isObject,
  jsonEqual,
  objectKey,
  qualifiedResource,
} from "../src/index.ts";

test("an array and null are no JSON objects", () => {
  expect([{}, { a: 1 }].every(isObject)).toBe(true);
  expect([[], null, "a", 1, undefined].some(isObject)).toBe(false);
});

test("two JSON values are equal when their texts say the same, whatever the order of their members", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const [plainA, plainB] = [a, b].map((value): unknown => JSON.parse(JSON.stringify(value)));
      expect(jsonEqual(plainA, structuredClone(plainA))).toBe(true);
      expect(jsonEqual(plainA, plainB)).toBe(isDeepStrictEqual(plainA, plainB));
    }),
  );
  expect(jsonEqual({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(jsonEqual({ a: 1 }, { a: 1, b: undefined })).toBe(true);
  expect(jsonEqual({ a: 1, b: undefined }, { a: 1, c: null })).toBe(false);
  expect(jsonEqual([1, 2], [2, 1])).toBe(false);
});

test("members that are undefined are left out of a copy", () => {
  expect(Object.keys(defined({ a: 1, b: undefined, c: null }))).toEqual(["a", "c"]);
});

test("resources are called what paths, objects and messages call them", () => {
  expect(apiVersionOf({ group: "", version: "v1" })).toBe("v1");
  expect(apiVersionOf({ group: "apps", version: "v1" })).toBe("apps/v1");
  expect(qualifiedResource({ group: "", resource: "pods" })).toBe("pods");
  expect(qualifiedResource({ group: "apps", resource: "deployments" })).toBe("deployments.apps");
  expect(objectKey("spark", "driver")).toBe("spark/driver");
  expect(objectKey(undefined, "node-1")).toBe("node-1");
});

test("times are written in Kubernetes' form, and read from any RFC 3339 text", () => {
  const moment = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  expect(formatTime(moment)).toBe("2026-01-02T03:04:05Z");
  expect(formatMicroTime(moment)).toBe("2026-01-02T03:04:05.678000Z");
  expect(canonicalTime("2026-01-02T04:04:05+01:00", false)).toBe("2026-01-02T03:04:05Z");
  expect(canonicalTime("2026-01-02T03:04:05.678901Z", true)).toBe("2026-01-02T03:04:05.678901Z");
  expect(canonicalTime("2026-01-02", false)).toBeUndefined();
  expect(canonicalTime("2026-01-02T03:04:05Z", true)).toBeUndefined();
});
