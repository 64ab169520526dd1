import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));

/** Names of the modules that a program loads in addition to Node's own bootstrap. */
async function loadedBy(entry: string): Promise<string[]> {
  const program = `
    import { createRequire } from "node:module";
    // From Node 22 on these bring more along when an ES module imports them.
    await Promise.all([import("node:http"), import("node:https")]);
    const before = new Set(process.moduleLoadList);
    await import(${JSON.stringify(`${DIST}${entry}`)});
    const loaded = process.moduleLoadList.filter((name) => !before.has(name));
    console.log(JSON.stringify(loaded.map((name) => name.replace("NativeModule ", ""))));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  return JSON.parse(stdout) as string[];
}

it("loads nothing that a short command would have to wait for", async () => {
  for (const entry of ["index.js", "download.js", "protocol.js"]) {
    const loaded = await loadedBy(entry);
    // Node's own fetch costs a hundred milliseconds on Node 20.
    for (const heavy of [
      "internal/deps/undici/undici",
      "http2",
      "internal/deps/acorn/acorn/dist/acorn",
      "repl",
      "inspector",
    ]) {
      expect(loaded).not.toContain(heavy);
    }
  }
});
