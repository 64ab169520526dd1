import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { gatewayMetrics } from "../src/metrics/metrics.ts";

const NONE = { applications: 0, waiting: 0, beingMade: 0, waitingForQuota: 0 };
const folder = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${folder}/README.md`, "utf8");

test("the README's example runs", () => {
  const [, example] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  const output = execFileSync(process.execPath, ["--input-type=module", "-"], {
    cwd: folder,
    input: example,
    encoding: "utf8",
  });
  expect(output).toBe("ten executors are enough\n");
});

test("the README names every metric", async () => {
  const metrics = await gatewayMetrics(() => NONE).registry.getMetricsAsJSON();
  const own = metrics.map(({ name }) => name).filter((name) => name.startsWith("gateway_"));
  expect(own.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
