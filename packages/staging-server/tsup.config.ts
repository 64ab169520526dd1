import { defineConfig } from "tsup";
import { command, library } from "../../tsup.base.ts";

export default defineConfig([
  library({ index: "src/index.ts", testing: "src/testing/index.ts" }),
  command({ "kindling-staging-server": "src/main.ts" }),
]);
