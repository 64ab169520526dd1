import { expect, test } from "vitest";
import type * as original from "../src/errors.ts";
import { ERROR_CODES, EXIT_CODES, exitCodeOf, isKindlingError, KindlingError, type ErrorCode } from "../src/index.ts";

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

test.each(Object.entries(ERROR_CODES))("an error with the code %s has what the table says of it", (code, entry) => {
  const error = new KindlingError(code as ErrorCode, "no");
  expect(error).toMatchObject({ code, audience: entry.audience, retryable: entry.retryable });
  expect(exitCodeOf(error)).toBe(EXIT_CODES[entry.exit].code);
});

test("what nobody foresaw, and a code of a newer copy, end as a fault of Kindling itself", () => {
  const newer = Object.assign(new KindlingError("INTERNAL", "no"), { code: "OF_TOMORROW" });
  expect([exitCodeOf(new Error("no")), exitCodeOf(newer), exitCodeOf("no")]).toEqual([1, 1, 1]);
});
