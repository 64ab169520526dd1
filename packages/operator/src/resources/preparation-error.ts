import { KindlingError } from "@kindling/core-spec";

/**
 * Why an application cannot be submitted though nothing was asked of the cluster yet. The message is all that stock
 * writes to `errorMessage`: it does not put `failed to submit spark application` before these.
 */
export class PreparationError extends KindlingError {
  constructor(message: string, hint: string) {
    super("CONF_INVALID", message, { hint });
    this.name = "PreparationError";
  }
}
