import { testsOf } from "../../vitest.base.ts";

export default testsOf("connect", { hookTimeout: 60_000 });
