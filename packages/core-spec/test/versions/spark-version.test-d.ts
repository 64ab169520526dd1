// Only names of the table are differences: this file only has to compile.
import { confKey, confType, sparkVersionOf, type Versioned } from "../../src/index.ts";

const version = sparkVersionOf("4.3.0");

export const known: boolean = version.has("executor-library-path");
// @ts-expect-error: no release has such a difference
export const unknown: boolean = version.has("executor-libary-path");
// @ts-expect-error: a version is no difference
export const comparison: boolean = version.has("4.1");
// @ts-expect-error: the same holds for rows of lists
export const row: Versioned = { from: "4.1" };
export const key = confKey({
  key: "spark.x",
  type: confType.text,
  // @ts-expect-error: and for defaults that differ
  default: [{ from: "4.1", text: "a" }],
  readBy: [],
  doc: "",
});
