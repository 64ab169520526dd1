import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Metrics } from "../src/metrics/metrics.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${folder}/README.md`, "utf8");

it("has an example that runs", () => {
  const [, example] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  const output = execFileSync(process.execPath, ["--input-type=module", "-"], {
    cwd: folder,
    input: example,
    encoding: "utf8",
  });
  expect(output).toContain("name: 'app.py'");
});

it("names every metric", async () => {
  const metrics = await new Metrics().registry.getMetricsAsJSON();
  const own = metrics.map(({ name }) => name).filter((name) => name.startsWith("staging_"));
  expect(own.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
