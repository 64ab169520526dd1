import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const SHOW = fileURLToPath(new URL("../../../../benchmarks/staging-hostile.mjs", import.meta.url));

// All kinds at once for a short while; the tenant's speed can only be measured on an idle machine.
it("stays up with 256 MiB and 256 descriptors in a hostile crowd, and serves a well-behaved tenant", async () => {
  const args = [SHOW, "--minutes", "0.1", "--connections", "600"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
  expect(stdout).toMatch(/\| failed \| 0 \| 0 \|/);
  expect(stdout).toContain("none: it stayed up");
}, 150_000);
