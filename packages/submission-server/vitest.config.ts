import { testsOf } from "../../vitest.base.ts";

export default testsOf("submission-server", {
  // Real servers on a busy machine.
  hookTimeout: 60_000,
});
