import { expect, test } from "vitest";
import type * as original from "../src/errors.ts";
import { ERROR_CODES, isKindlingError, KindlingError } from "../src/index.ts";

test("an error is known by its brand, not by the copy of the class that made it", async () => {
  const copy: typeof original = await import(`${new URL("../src/errors.ts", import.meta.url).href}?copy`);
  const error = new copy.KindlingError("CONF_INVALID", "spark.x: no", { hint: "do this", cause: "that" });
  expect(error).not.toBeInstanceOf(KindlingError);
  expect(isKindlingError(error)).toBe(true);
  expect(error).toMatchObject({ code: "CONF_INVALID", message: "spark.x: no", hint: "do this", cause: "that" });
});

test.each([undefined, null, "text", {}, new Error("other")])("%o is none", (value) =>
  expect(isKindlingError(value)).toBe(false),
);

test("every code is there once", () => {
  expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
});
