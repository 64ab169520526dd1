import { APPLICATION_FLAGS } from "./flags/application-flags.ts";
import { CONFIGURATION_FLAGS } from "./flags/configuration-flags.ts";
import { CONTROL_FLAGS } from "./flags/control-flags.ts";
import { FILE_FLAGS } from "./flags/file-flags.ts";
import type { Flag } from "./flags/flag.ts";
import { KINDLING_FLAGS } from "./flags/kindling-flags.ts";
import { OTHER_FLAGS } from "./flags/other-flags.ts";
import { RESOURCE_FLAGS } from "./flags/resource-flags.ts";

export { takesValue, type Flag } from "./flags/flag.ts";

/** Every flag of `kindling submit`: spark-submit's own (SparkSubmitOptionParser of each known release), and Kindling's. */
export const FLAGS: readonly Flag[] = [
  ...APPLICATION_FLAGS,
  ...FILE_FLAGS,
  ...RESOURCE_FLAGS,
  ...CONFIGURATION_FLAGS,
  ...CONTROL_FLAGS,
  ...KINDLING_FLAGS,
  ...OTHER_FLAGS,
];
