import { defineConfig } from "tsup";
import { command, KERBEROS, library, SPARK_KEYS } from "../../tsup.base.ts";

export default defineConfig([
  library({ index: "src/index.ts", server: "src/server.ts" }),
  command({ "kindling-connect": "src/main.ts" }, [KERBEROS, SPARK_KEYS]),
]);
