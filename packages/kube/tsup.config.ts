import { defineConfig } from "tsup";
import { library } from "../../tsup.base.ts";

export default defineConfig({
  ...library({ index: "src/index.ts", conformance: "src/conformance/index.ts" }),
  // Names of chunks contain hashes: without this, the chunks of the last build would stay and be published.
  clean: ["!**/*.d.ts", "!**/*.d.ts.map", "!.tsbuildinfo"],
});
