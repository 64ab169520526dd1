import { defineConfig } from "tsup";
import { command, library, SPARK_KEYS } from "../../tsup.base.ts";

export default defineConfig([
  library({ index: "src/index.ts" }),
  command({ "kindling-operator": "src/main.ts" }, [SPARK_KEYS]),
]);
