import { fileURLToPath } from "node:url";
import { mutantPlugin } from "./test/model/mutant-plugin.ts";
import { testsOf } from "../../vitest.base.ts";

export default {
  ...testsOf("scheduler"),
  plugins: [mutantPlugin(fileURLToPath(new URL("src", import.meta.url)))],
};
