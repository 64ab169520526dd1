import { testsOf } from "../../vitest.base.ts";

export default testsOf("command-line");
