import { testsOf } from "../../vitest.base.ts";

export default testsOf("spark-submit", {
  globalSetup: ["test/global-setup.ts"],
});
