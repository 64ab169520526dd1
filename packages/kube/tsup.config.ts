import { defineConfig } from "tsup";
import { library } from "../../tsup.base.ts";

export default defineConfig({
  ...library({ index: "src/index.ts", conformance: "src/conformance/index.ts" }),
  // Chunks carry hashes in their names: without this, each build would leave the last one's behind to be published.
  clean: ["!**/*.d.ts", "!**/*.d.ts.map", "!.tsbuildinfo"],
});
