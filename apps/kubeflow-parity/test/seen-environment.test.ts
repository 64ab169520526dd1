import { expect, test } from "vitest";
import { seenEnvironment } from "../src/pods/seen-environment.ts";

test("a reference finds what stands in front of it, and the last of one name counts", () => {
  const env = [
    { name: "LATE", value: "$(A)" },
    { name: "A", value: "1" },
    { name: "B", value: "$(A)/$$(A)" },
    { name: "A", value: "2" },
  ];
  expect(seenEnvironment(env)).toEqual({ A: "2", B: "1/$(A)", LATE: "$(A)" });
});
