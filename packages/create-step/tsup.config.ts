import { defineConfig } from "tsup";
import { library } from "../../tsup.base.ts";

// One file, so that npm fetches nothing else. `yaml` is only needed for the output of some commands.
export default defineConfig({
  ...library({ "create-step": "src/main.ts" }),
  noExternal: [/^@kindling\//],
  external: ["yaml"],
  splitting: false,
  sourcemap: false,
});
