import { testsOf } from "../../vitest.base.ts";

export default testsOf("recorder-client");
