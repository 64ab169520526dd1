import { sparkVersionOf } from "@kindling/core-spec";
import { expect, test } from "vitest";
import { FLAGS } from "../src/flag-table.ts";
import { refuseLaterFlags } from "../src/unknown-flag.ts";
import { caughtFrom } from "@kindling/test-kit/caught";

const later = FLAGS.filter(({ from }) => from !== undefined);

function refused(name: string, version: string): string | undefined {
  const flags = later.filter((flag) => flag.name === name);
  try {
    refuseLaterFlags(flags, sparkVersionOf(version));
    return undefined;
  } catch {
    return caughtFrom(() => refuseLaterFlags(flags, sparkVersionOf(version))).message;
  }
}

test.each([
  ["--load-spark-defaults", "3.5.9", "4.0.0"],
  ["--driver-default-class-path", "3.5.9", "4.0.0"],
  ["--extra-properties-file", "4.1.4", "4.2.0"],
])("%s is refused for Spark %s, and taken for %s", (name, before, from) => {
  expect(refused(name, before)).toMatch(
    new RegExp(`^unrecognized option '${name}': spark-submit has it from 4\\.\\d on, and Spark ${before} is wanted$`),
  );
  expect(refused(name, from)).toBeUndefined();
});

test("no other flag of spark-submit's is newer than the oldest known version", () => {
  expect(later.map(({ name }) => name)).toEqual([
    "--driver-default-class-path",
    "--extra-properties-file",
    "--load-spark-defaults",
  ]);
});
