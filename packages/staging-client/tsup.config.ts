import { defineConfig } from "tsup";
import { library } from "../../tsup.base.ts";

export default defineConfig(
  library({ index: "src/index.ts", protocol: "src/protocol/index.ts", download: "src/download/index.ts" }),
);
