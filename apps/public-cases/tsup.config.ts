import { defineConfig } from "tsup";
import { library } from "../../tsup.base.ts";

export default defineConfig({
  ...library({ "public-cases": "src/main.ts" }),
  // The recordings' code for comparisons is TypeScript, which Node 20 does not run.
  noExternal: ["@kindling/recordings"],
});
