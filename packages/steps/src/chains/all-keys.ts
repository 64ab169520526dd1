import type { ConfKey, ConfPrefix } from "@kindling/core-spec";
import { CHAIN } from "./chain.ts";
import {
  DRIVER_EXCLUDED_STEPS,
  DRIVER_FEATURE_STEPS,
  EXECUTOR_EXCLUDED_STEPS,
  EXECUTOR_FEATURE_STEPS,
} from "./feature-steps.ts";
import { DRIVER_POD_TEMPLATE_CONTAINER, DRIVER_POD_TEMPLATE_FILE } from "../objects/pod-template.ts";
import { POD_SECURITY_KEYS } from "../pod-security/pod-security-keys.ts";
import { EPHEMERAL_STORAGE } from "../steps/ephemeral-storage.ts";
import { SEAL, SEAL_UI } from "../seal/seal-keys.ts";
import { SHUFFLE_KEYS } from "../shuffle/shuffle-keys.ts";
import { EVENT_LOG_KEYS } from "../event-log/event-log-keys.ts";
import { volcano } from "../steps/volcano.ts";
import { DRIVER_KEYS } from "../keys/driver-keys.ts";

/** All keys that the steps read, and those that a driver on Kubernetes reads: the source of the reference. */
export function allKeys(): (ConfKey<unknown> | ConfPrefix)[] {
  const ofSteps = [...CHAIN.map((row) => row.step), volcano].flatMap((step) => step.keys ?? []);
  return [
    ...ofSteps,
    DRIVER_FEATURE_STEPS,
    EXECUTOR_FEATURE_STEPS,
    DRIVER_EXCLUDED_STEPS,
    EXECUTOR_EXCLUDED_STEPS,
    DRIVER_POD_TEMPLATE_FILE,
    DRIVER_POD_TEMPLATE_CONTAINER,
    EPHEMERAL_STORAGE,
    ...POD_SECURITY_KEYS,
    SEAL,
    SEAL_UI,
    ...SHUFFLE_KEYS,
    ...EVENT_LOG_KEYS,
    ...DRIVER_KEYS,
  ];
}
