import { KindlingError } from "./errors.ts";

/** The same error with one more hint. */
export function withHint(error: KindlingError, hint: string | undefined): KindlingError {
  if (hint === undefined) return error;
  const { code, message, cause } = error;
  return new KindlingError(code, message, {
    hint: error.hint === undefined ? hint : `${error.hint}; ${hint}`,
    cause: cause ?? error,
  });
}
