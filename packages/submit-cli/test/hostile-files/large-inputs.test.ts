import { describe, expect, test } from "vitest";
import { kindling } from "../fixtures/kindling-process.ts";
import { someRounds } from "@kindling/test-kit/rounds";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { conf, flagsFor } from "../fixtures/submission.ts";

const DRY_RUN = ["submit", "--dry-run", ...flagsFor({ url: "https://cluster.example:6443" })];
const APP = ["--class", "Main", "local:///opt/app.jar"];
/** For a busy machine. An algorithm with quadratic time takes longer than this on any machine. */
const PATIENCE = { timeout: 120_000 };
const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("");

// Each of these took minutes to hours while something in the code for reading them took quadratic time.

describe("a properties file as large as may be is read in no time", PATIENCE, () => {
  const texts: readonly (readonly [string, string])[] = [
    ["a value of many lines", `spark.a b\\\n${"  x\\\n".repeat(180_000)}\n`],
    ["backslashes", `spark.a b${"\\".repeat(1_000_000)}a\n`],
    ["blanks", `spark.a b${" ".repeat(1_000_000)}a\n`],
    ["many keys", many(20_000, (index) => `spark.k${index} v\n`)],
    ["references that do not end", `spark.kubernetes.driver.pod.name ${"${".repeat(500_000)}\n`],
    ["words that are called like secrets", `spark.my.value ${"token".repeat(200_000)}\n`],
    [
      "many volumes",
      many(
        5500,
        (index) =>
          `spark.kubernetes.driver.volumes.persistentVolumeClaim.v${index}.mount.path=/m/${index}\n` +
          `spark.kubernetes.driver.volumes.persistentVolumeClaim.v${index}.options.claimName=c\n`,
      ),
    ],
  ];

  test.each(someRounds("large properties files", texts, 1 / 2))("%s", async (_, text) => {
    const folder = scratchFolder({ "app.conf": text });
    expect(text.length).toBeLessThan(1024 * 1024);
    const args = [...DRY_RUN, "--verbose", "--properties-file", "app.conf", ...APP];
    const { code, stderr } = await kindling(args, { cwd: folder.path });
    expect(stderr).not.toMatch(/fault of kindling/);
    expect([0, 1]).toContain(code);
  });

  test.each([
    [
      "that grow with each other",
      many(9, (index) => `spark.x${index + 1} ${`\${spark.x${index}}`.repeat(10)}\n`),
      "makes a value of more than 1048576 characters",
    ],
    [
      "to nothing",
      `spark.x0 \n${many(30, (index) => `spark.x${index + 1} ${`\${spark.x${index}}`.repeat(10)}\n`)}`,
      "makes a value of more than",
    ],
    [
      "in a chain",
      many(5000, (index) => `spark.x${index + 1} \${spark.x${index}}\n`),
      "is behind 100 other references",
    ],
  ])("references %s are refused", async (_, text, message) => {
    const last = text.match(/^spark\.x\d+/gm)?.at(-1);
    const folder = scratchFolder({ "app.conf": `${text}spark.kubernetes.driver.pod.name \${${last}}\n` });
    const { code, stderr } = await kindling([...DRY_RUN, "--properties-file", "app.conf", ...APP], {
      cwd: folder.path,
    });
    expect(code).toBe(1);
    expect(stderr).toContain("spark.kubernetes.driver.pod.name: ${spark.x");
    expect(stderr).toContain(message);
  });
});

const TEMPLATES: readonly (readonly [string, string, RegExp | undefined])[] = [
  ["labels", `metadata:\n  labels:\n${many(45_000, (index) => `    l${index}: v${index}\n`)}spec: {}\n`, undefined],
  [
    "labels of 10 MB",
    `metadata:\n  labels:\n${many(300_000, (index) => `    label-number-${index}: value-number-${index}\n`)}spec: {}\n`,
    /larger than 1048576 bytes/,
  ],
  [
    "annotations",
    `metadata:\n  annotations:\n${many(45_000, (index) => `    l${index}: v${index}\n`)}spec: {}\n`,
    /the annotations of Pod \S+ would have \d+ bytes, and an API server takes 262144/,
  ],
  [
    "variables",
    `spec:\n  containers:\n  - env:\n${many(20_000, (index) => `    - { name: v${index}, value: x }\n`)}`,
    undefined,
  ],
  ["members in braces", `spec: {${many(40_000, (index) => `k${index}: 1,`)}}\n`, undefined],
  ["aliases", `spec:\n  a: &a x\n  b: [${"*a,".repeat(100_000)}]\n`, undefined],
  ["anchors", `spec:\n${many(20_000, (index) => `  k${index}: &a${index} x\n  j${index}: *a${index}\n`)}`, undefined],
  ["lists in lists", `spec: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`, /nested too deeply/],
  ["documents", "---\n".repeat(50_000), /t\.yaml: the file is empty/],
  ["faults", "a: @b\n".repeat(20_000), /line 1, column 4/],
  [
    "dots in a key",
    `spec: {}\nmetadata: { labels: { "${"a.".repeat(400_000)}": b } }\n`,
    /the key is longer than 1024 characters/,
  ],
];

describe("a template with many", PATIENCE, () => {
  test.each(someRounds("large templates", TEMPLATES, 1 / 2))(
    "%s is read or refused in no time",
    async (_, text, refusal) => {
      const folder = scratchFolder({ "t.yaml": text });
      const flags = conf({ "spark.kubernetes.driver.podTemplateFile": "t.yaml" });
      const { code, stderr } = await kindling([...DRY_RUN, ...flags, ...APP], { cwd: folder.path });
      expect(code).toBe(refusal === undefined ? 0 : 1);
      expect(stderr).toMatch(refusal ?? /^$/);
      expect(stderr.length).toBeLessThan(2000);
    },
  );
});

test("the faults of a template are told without what stands in it", async () => {
  const folder = scratchFolder({ "t.yaml": `spec:\n  password: "hunter2-Xq7"hunter2-Xq7: b\n` });
  const flags = conf({ "spark.kubernetes.driver.podTemplateFile": "t.yaml" });
  const { code, stderr } = await kindling([...DRY_RUN, ...flags, ...APP], { cwd: folder.path });
  expect(code).toBe(1);
  expect(stderr).toMatch(/t\.yaml: line 2, column \d+: /);
  expect(stderr).not.toContain("hunter2");
});
