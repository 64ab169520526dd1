import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { parseExpectations } from "../src/expectation.ts";
import { judge } from "../src/judge.ts";

const PROGRAM = fileURLToPath(new URL("../dist/public-cases.js", import.meta.url));

test("each case has a line, and one that is wrong says of what", () => {
  const folder = scratchFolder();
  folder.write("cases/said/run.sh", "echo the queue is full\n");
  folder.write("cases/unsaid/run.sh", "echo all is well\n");
  folder.write("cases/forbidden/run.sh", "echo raise the memory\n");
  folder.write("cases/nobody-knows/run.sh", "true\n");
  folder.write("cases/README.md", "no case");
  const expected = folder.write(
    "expected.yaml",
    "said: {says: [QUEUE]}\nunsaid: {says: [queue]}\nforbidden: {never: [memory]}\n",
  );
  const { stdout, status } = spawnSync(
    process.execPath,
    [PROGRAM, "--expected", expected, join(folder.path, "cases")],
    {
      encoding: "utf8",
    },
  );
  expect(stdout.split("\n").toSorted()).toEqual([
    "",
    "1 right, 2 wrong, 1 left out",
    "left out  nobody-knows: nothing is expected of it",
    "right     said",
    "wrong     forbidden: says /memory/",
    "wrong     unsaid: does not say /queue/",
  ]);
  expect(status).toBe(1);
});

test("a state is judged as a whole", () => {
  const [expected] = parseExpectations("a: {state: COMPLETED}").values();
  expect(judge({ text: "", faults: [], state: "COMPLETED" }, expected)).toEqual([]);
  expect(judge({ text: "", faults: [], state: "COMPLETED_NOT" }, expected)).toEqual([
    "state COMPLETED_NOT, not COMPLETED",
  ]);
});

test("expectations that make no sense are refused by the name of their case", () => {
  expect(() => parseExpectations("a: {say: [b]}")).toThrow("a: there is no member say");
  expect(() => parseExpectations("a: {says: b}")).toThrow("a.says: a list of patterns is expected");
  expect(() => parseExpectations("a: {run: [b]}")).toThrow("a.run: text is expected");
  expect(() => parseExpectations("[]")).toThrow("a mapping from names");
});
