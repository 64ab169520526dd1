import { defineConfig } from "tsup";
import { library } from "../../tsup.base.ts";

export default defineConfig(
  library({
    index: "src/index.ts",
    "credential-files": "src/credential-files.ts",
    azure: "src/azure/index.ts",
    gcs: "src/gcs/index.ts",
    s3: "src/s3/index.ts",
    webhdfs: "src/webhdfs/index.ts",
  }),
);
