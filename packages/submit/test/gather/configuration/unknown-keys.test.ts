import { expect, test } from "vitest";
import { unknownKeys } from "../../../src/gather/configuration/unknown-keys.ts";

test("of very many unknown keys only the first are compared with Spark's own, and the rest are counted", async () => {
  const slips = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`spark.kubernetes.unknown.key${index}`, ""]),
  );
  const remarks = await unknownKeys(slips, []);
  expect(remarks).toHaveLength(101);
  expect(remarks[0]).toMatch(/^spark\.kubernetes\.unknown\.key0: nobody reads such a key/);
  expect(remarks.at(-1)).toBe("50 more keys that are not Spark's were not compared with those that are");
});
