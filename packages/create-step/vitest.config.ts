import { testsOf } from "../../vitest.base.ts";

export default testsOf("create-step");
