// Runs benchmarks by name, or all, and writes their tables to results/.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { devcluster } from "./devcluster.mjs";
import { devclusterPods } from "./devcluster-pods.mjs";
import { gateway } from "./gateway.mjs";
import { gatewayChaos } from "./gateway-chaos.mjs";
import { gatewayEarlyStart } from "./gateway-early-start.mjs";
import { images } from "./images.mjs";
import { library } from "./library.mjs";
import { localizer } from "./localizer.mjs";
import { scheduler } from "./scheduler.mjs";
import { staging } from "./staging.mjs";
import { stagingHostile } from "./staging-hostile.mjs";
import { startup } from "./startup.mjs";
import { submit } from "./submit.mjs";

const BENCHMARKS = {
  startup,
  submit,
  library,
  devcluster,
  scheduler,
  gateway,
  "gateway-chaos": gatewayChaos,
  "gateway-early-start": gatewayEarlyStart,
  staging,
  "staging-hostile": async () => (await stagingHostile()).text,
  localizer,
  images,
  "devcluster-pods": devclusterPods,
};

const wanted = process.argv.slice(2);
const results = new URL("results/", import.meta.url);
mkdirSync(results, { recursive: true });
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const table = await run();
  const where = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${process.platform}`;
  process.stdout.write(`\n${name} (${where})\n\n${table}`);
  writeFileSync(new URL(`${name}.md`, results), `${where}\n\n${table}`);
}
