import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));

test("the README's example says what it promises, in 25 lines, with the package as it is built", () => {
  const [, example = ""] = /```js\n([\s\S]*?)```/.exec(readFileSync(`${folder}/README.md`, "utf8")) ?? [];
  expect(example.trim().split("\n").length).toBeLessThanOrEqual(25);
  const output = execFileSync(process.execPath, ["--input-type=module", "-"], {
    cwd: folder,
    input: example,
    encoding: "utf8",
    timeout: 60_000,
  });
  const promised = [...example.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, comment]) => comment);
  expect(output.split("\n").filter((line) => line !== "")).toEqual(promised);
});
