import { defineConfig } from "tsup";
import { library } from "../../tsup.base.ts";

// One file, so that npm fetches nothing else. `yaml` is for the output of commands that have some.
export default defineConfig({
  ...library({ "create-step": "src/main.ts" }),
  noExternal: [/^@kindling\//],
  external: ["yaml"],
  splitting: false,
  sourcemap: false,
});
