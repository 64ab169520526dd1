import { testsOf } from "../../vitest.base.ts";

export default testsOf("event-log-shipper");
