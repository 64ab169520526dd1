import { testsOf } from "../../vitest.base.ts";

export default testsOf("core-spec");
