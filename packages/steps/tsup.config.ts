import { defineConfig } from "tsup";
import { library } from "../../tsup.base.ts";

export default defineConfig(
  library({
    index: "src/index.ts",
    modules: "src/step-loading/load-steps.ts",
    testing: "src/testing/pods-with.ts",
    "spark-keys": "src/keys/spark-keys.ts",
  }),
);
