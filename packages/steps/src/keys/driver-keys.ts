import type { ConfKey } from "@kindling/core-spec";
import { ALLOCATION_KEYS } from "./driver/allocation-keys.ts";
import { DYNAMIC_ALLOCATION_KEYS } from "./driver/dynamic-allocation-keys.ts";
import { EXECUTOR_PLUGIN_KEYS } from "./driver/executor-plugin-keys.ts";
import { EXECUTOR_TRACKING_KEYS } from "./driver/executor-tracking-keys.ts";
import { OWN_KEYS } from "./driver/own-keys.ts";

/** The keys that only a running driver reads. */
export const DRIVER_KEYS: readonly ConfKey<unknown>[] = [
  ...ALLOCATION_KEYS,
  ...DYNAMIC_ALLOCATION_KEYS,
  ...OWN_KEYS,
  ...EXECUTOR_TRACKING_KEYS,
  ...EXECUTOR_PLUGIN_KEYS,
];
