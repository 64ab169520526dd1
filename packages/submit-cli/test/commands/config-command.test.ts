import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { keyReference } from "../../src/commands/key-reference.ts";
import { kindling } from "../fixtures/kindling-process.ts";

const config = (...args: string[]): ReturnType<typeof kindling> => kindling(["config", ...args]);
const keysIn = (stdout: string): string[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");

describe("kindling config", () => {
  test("lists every key, by name, with its default", async () => {
    const { code, stdout, stderr } = await config();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const keys = keysIn(stdout);
    expect(keys).toEqual(keyReference().map(({ key }) => key));
    expect(keys).toEqual([...keys].sort());
    expect(new Set(keys).size).toBe(keys.length);
    expect(stdout).toMatch(/^spark\.kubernetes\.namespace +default$/m);
  });

  test("tells all of one key", async () => {
    const { stdout } = await config("spark.kubernetes.driver.pod.name");
    expect(stdout).toMatch(
      /^spark\.kubernetes\.driver\.pod\.name\n {2}type +string\n {2}default +none\n {2}since +2\.3\.0\n {2}read by +submit/,
    );
    expect(stdout).toMatch(/\n\n {2}\S.*\.\n$/);
  });

  test("tells of defaults that differ between versions of Spark", async () => {
    const { stdout } = await config("spark.kubernetes.legacy.useReadWriteOnceAccessMode");
    expect(stdout).toContain("  default  true (before 4.0), false\n");
  });

  test("finds the family of a key that has a name of the user's own in it", async () => {
    const { stdout } = await config("spark.kubernetes.driver.label.team");
    expect(stdout).toMatch(/^spark\.kubernetes\.driver\.label\.<[^>]+>\n {2}type/);
  });

  test("finds all keys that hold a text, in any case", async () => {
    const keys = keysIn((await config("memoryoverhead")).stdout);
    expect(keys).toContain("spark.driver.memoryOverhead");
    expect(keys.every((key) => key.toLowerCase().includes("memoryoverhead"))).toBe(true);
    expect(keys.length).toBeGreaterThan(2);
  });

  test("says what to do about a key that it does not know", async () => {
    const { code, stdout, stderr } = await config("spark.sql.shuffle.partitions");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^error: spark\.sql\.shuffle\.partitions: no key .*\nhint: .*Spark's configuration guide\n$/,
    );
  });

  test.each([
    ["memry", "did you mean memory? kindling config memory lists those keys"],
    ["spark.kubernetes.driver.memory", "did you mean spark.driver.memory?"],
    [
      "spark.kubernetes.executor.tolerations",
      "that comes from a pod template: spark.kubernetes.executor.podTemplateFile",
    ],
  ])("suggests what %s was meant to be", async (wanted, hint) => {
    const { code, stderr } = await config(wanted);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`\nhint: ${hint}\n`) as string });
  });

  test.each([
    ["json", JSON.parse],
    ["yaml", parse],
  ] as [string, (text: string) => unknown][])("gives %s", async (format, read) => {
    const { stdout } = await config("-o", format, "spark.kubernetes.namespace");
    expect(read(stdout)).toEqual([
      expect.objectContaining({
        key: "spark.kubernetes.namespace",
        default: "default",
        readBy: expect.arrayContaining(["submit"]),
      }),
    ]);
  });

  test("gives a table for documentation, a row for each key", async () => {
    const { stdout } = await config("-o", "markdown");
    const rows = stdout.trimEnd().split("\n");
    expect(rows).toHaveLength(keyReference().length + 2);
    expect(rows.filter((row) => (row.match(/(?<!\\)\|/g) ?? []).length !== 7)).toEqual([]);
  });
});

test("every key is described in whole sentences", () => {
  expect(
    keyReference()
      .filter(({ doc }) => !/^\S.*[.)]$/.test(doc))
      .map(({ key }) => key),
  ).toEqual([]);
});
