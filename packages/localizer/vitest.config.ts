import { testsOf } from "../../vitest.base.ts";

export default testsOf("localizer", {
  globalSetup: ["test/global-setup.ts"],
});
