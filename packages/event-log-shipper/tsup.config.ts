import { defineConfig } from "tsup";
import { command, library } from "../../tsup.base.ts";

export default defineConfig([
  library({ index: "src/index.ts" }),
  command({ "kindling-event-log-shipper": "src/main.ts" }),
  command({ "kindling-event-log-mirror": "src/mirror/main.ts" }),
]);
