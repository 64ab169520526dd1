import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";
import { command, KERBEROS, library, SPARK_KEYS } from "../../tsup.base.ts";

const DEFINITIONS = fileURLToPath(new URL("../../deploy/helm/kindling-operator/crds", import.meta.url));

export default defineConfig([
  {
    ...library({ index: "src/index.ts", testing: "src/testing/index.ts" }),
    // The chart has them for clusters; programs that run the operator in their own process have them from here.
    onSuccess: () => Promise.resolve(cpSync(DEFINITIONS, "dist/crds", { recursive: true })),
  },
  command({ "kindling-operator": "src/main.ts" }, [KERBEROS, SPARK_KEYS]),
]);
