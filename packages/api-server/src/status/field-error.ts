import type { StatusCause } from "@kindling/kube-objects";

/** The kinds of field errors, with the words that the server uses for them. */
const LABELS = {
  FieldValueRequired: "Required value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueNotFound: "Not found",
  FieldValueTypeInvalid: "Invalid value",
} as const;

export type FieldErrorReason = keyof typeof LABELS;

/** One field that is wrong (counterpart of apimachinery's `field.Error`). */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  /** The text that follows the field's path. */
  readonly message: string;
}

function fieldError(reason: FieldErrorReason, field: string, value: string | undefined, detail: string): FieldError {
  const parts = [LABELS[reason], value, detail].filter((part) => part !== undefined && part !== "");
  return { reason, field, message: parts.join(": ") };
}

/** A value as error messages show it. */
export function quoteValue(value: unknown): string {
  return value === undefined ? "null" : JSON.stringify(value);
}

/** A required field is not set. */
export function required(field: string, detail = ""): FieldError {
  return fieldError("FieldValueRequired", field, undefined, detail);
}

/** A value that breaks a rule. */
export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return fieldError("FieldValueInvalid", field, quoteValue(value), detail);
}

/** A value of the wrong JSON type, in a custom resource. */
export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return fieldError("FieldValueTypeInvalid", field, quoteValue(value), detail);
}

/** A value that is not one of those allowed. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.map((item) => JSON.stringify(item)).join(", ");
  return fieldError("FieldValueNotSupported", field, quoteValue(value), `supported values: ${list}`);
}

/** A value that must be unique is there twice. */
export function duplicate(field: string, value: unknown): FieldError {
  return fieldError("FieldValueDuplicate", field, quoteValue(value), "");
}

/** A field that may not be set, or not be changed. */
export function forbiddenField(field: string, detail: string): FieldError {
  return fieldError("FieldValueForbidden", field, undefined, detail);
}

/** A text that is too long, in bytes. */
export function tooLong(field: string, limit: number): FieldError {
  return fieldError("FieldValueTooLong", field, undefined, `may not be more than ${limit} bytes`);
}

/** A reference to something that does not exist. */
export function notFoundValue(field: string, value: unknown): FieldError {
  return fieldError("FieldValueNotFound", field, quoteValue(value), "");
}

/** The text of all errors, as in the message of a Status: one, or several in brackets, without repetitions. */
export function summarise(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

/** The errors as causes of a Status. */
export function causesOf(errors: readonly FieldError[]): StatusCause[] {
  return errors.map(({ reason, message, field }) => ({ reason, message, field }));
}
