import { defineConfig } from "tsup";
import { command, KERBEROS, library, RECORDER, SPARK_KEYS } from "../../tsup.base.ts";

export default defineConfig([
  library({ index: "src/index.ts" }),
  command({ "kindling-gateway": "src/main.ts" }, [KERBEROS, RECORDER, SPARK_KEYS]),
]);
