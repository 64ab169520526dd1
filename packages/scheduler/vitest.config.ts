import { fileURLToPath } from "node:url";
import { defineProject } from "vitest/config";
import { mutantPlugin } from "./test/model/mutant-plugin.ts";

export default defineProject({
  plugins: [mutantPlugin(fileURLToPath(new URL("src", import.meta.url)))],
  test: { name: "scheduler", include: ["test/**/*.test.ts"], testTimeout: 60_000 },
});
