import { KindlingError } from "@kindling/core-spec";

/**
 * Why an application cannot be submitted, found out before any request to the cluster. The message is the whole text that
 * stock writes to `errorMessage`: stock does not put `failed to submit spark application` before these.
 */
export class PreparationError extends KindlingError {
  constructor(message: string, hint: string) {
    super("CONF_INVALID", message, { hint });
    this.name = "PreparationError";
  }
}
