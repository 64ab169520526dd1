import { defineConfig } from "tsup";
import { command, library } from "../../tsup.base.ts";

export default defineConfig([
  library({ index: "src/index.ts" }),
  command({ "kindling-shuffle-server": "src/main.ts" }),
]);
