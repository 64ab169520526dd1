import { defineConfig } from "tsup";
import { library } from "../../tsup.base.ts";

export default defineConfig(
  library({
    index: "src/index.ts",
    adls: "src/adls/adls-place.ts",
    gcs: "src/gcs/gcs-place.ts",
    s3: "src/s3/s3-place.ts",
    webhdfs: "src/webhdfs/webhdfs-place.ts",
  }),
);
