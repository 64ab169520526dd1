import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseStack, STACK } from "./stack.ts";

test("the stack's chart is there, and each of its images has a Dockerfile", () => {
  expect(existsSync(join(STACK.chart, "Chart.yaml"))).toBe(true);
  const images = new URL("../../../deploy/images/", import.meta.url);
  expect(STACK.images.filter((image) => !existsSync(new URL(`${image}/Dockerfile`, images)))).toEqual([]);
});

test("a field that is missing is named", () => {
  expect(() => parseStack("services: {staging: {service: a, image: b}, gateway: {}}")).toThrow(
    "services.staging.admin is no text",
  );
  expect(() => parseStack("[]")).toThrow("the stack is no map");
});
