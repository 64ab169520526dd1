import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { allMetrics } from "./support/all-metrics.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${folder}/README.md`, "utf8");

test("the README's example runs", () => {
  const [, example] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  const output = execFileSync(process.execPath, ["--input-type=module", "-"], {
    cwd: folder,
    input: example,
    encoding: "utf8",
  });
  expect(output).toBe("0\n");
});

test("the README names every metric", async () => {
  const own = [...(await allMetrics()).keys()];
  expect(own.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
