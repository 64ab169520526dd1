import type { ConfKey } from "@kindling/core-spec";
import { LOCALIZER_KEYS, POD_NAME_PREFIX } from "@kindling/steps";
import { CONNECT_KEYS } from "./connect-keys.ts";
import { CONNECTION_KEYS } from "./connection-keys.ts";
import { REPORT_INTERVAL, WAIT_APP_COMPLETION } from "./follow-keys.ts";
import { GATEWAY_PAGE } from "./gateway-keys.ts";
import { INSTALLATION } from "./installation-key.ts";
import { KERBEROS_KEYS } from "./kerberos-keys.ts";
import { GRACE_PERIOD } from "./kill-keys.ts";
import { PACKAGES_KEYS } from "./packages-keys.ts";
import { PROXY_USER_CLASSPATH } from "./proxy-user-key.ts";
import { RECORDER_KEYS } from "./recorder-keys.ts";
import { SUBMIT_SERVER } from "./server-key.ts";
import { SPARK_VERSION } from "./spark-version-key.ts";
import { STAGING_KEYS } from "./staging-keys.ts";
import { STEPS } from "./steps-key.ts";
import { FILE_UPLOAD_PATH } from "./upload-keys.ts";

/** The keys that a submission reads besides the keys of its steps, for the configuration reference. */
export const SUBMISSION_KEYS: readonly ConfKey<unknown>[] = [
  ...CONNECTION_KEYS,
  REPORT_INTERVAL,
  POD_NAME_PREFIX,
  FILE_UPLOAD_PATH,
  STEPS,
  WAIT_APP_COMPLETION,
  GRACE_PERIOD,
  GATEWAY_PAGE,
  INSTALLATION,
  SPARK_VERSION,
  SUBMIT_SERVER,
  PROXY_USER_CLASSPATH,
  ...LOCALIZER_KEYS,
  ...STAGING_KEYS,
  ...PACKAGES_KEYS,
  ...KERBEROS_KEYS,
  ...RECORDER_KEYS,
  ...CONNECT_KEYS,
];
