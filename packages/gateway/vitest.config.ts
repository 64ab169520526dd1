import { testsOf } from "../../vitest.base.ts";

export default testsOf("gateway", {
  // Real servers on a busy machine.
  hookTimeout: 60_000,
});
