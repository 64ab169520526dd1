import { defineConfig } from "tsup";
import { command, library } from "../../tsup.base.ts";

export default defineConfig([
  library({ index: "src/index.ts", config: "src/config/index.ts" }),
  command({ localizer: "src/main.ts" }),
]);
