import { defineConfig } from "tsup";
import { command, KERBEROS, SPARK_KEYS } from "../../tsup.base.ts";

/** Scripts that run from a code cache cannot import by themselves, so `bin/run-compiled.js` does it for the bundle. */
const importsByModule = {
  name: "imports-by-module",
  renderChunk: (code: string): { code: string } => ({
    code: code.replaceAll(/(?<![.\w$])import\(/g, "module.importModule("),
  }),
};

/** A submission needs nothing of it; other commands load it when they are called. */
const APP = {
  name: "./app/index.ts",
  file: "kindling-app",
  usedBy: "./packages/submit-cli/src/commands/command-table.ts",
};

const kindling = command({ kindling: "src/main.ts" }, [KERBEROS, SPARK_KEYS, APP]);

export default defineConfig({ ...kindling, plugins: [...(kindling.plugins ?? []), importsByModule] });
