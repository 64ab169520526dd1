import { badRequest } from "../status/errors.ts";

/** The fields of an object that selectors may name, with their values. */
export type SelectableFields = Readonly<Record<string, string>>;

export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/**
 * Reads the text of the `fieldSelector` parameter: `metadata.name=a,status.phase!=Failed`.
 *
 * @throws ApiError 400 for text that is not a selector, or for a field that the resource does not support.
 */
export function parseFieldSelector(text: string, supported: readonly string[]): FieldRequirement[] {
  const requirements: FieldRequirement[] = [];
  for (const part of splitUnescaped(text)) {
    if (part === "") continue;
    const match = /^((?:[^=!\\]|\\.)*)(==|!=|=)(.*)$/.exec(part);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
    const [, field = "", operator, value = ""] = match;
    if (!supported.includes(field)) throw badRequest(`field label not supported: ${field}`);
    requirements.push({ field, equal: operator !== "!=", value: value.replaceAll(/\\(.)/g, "$1") });
  }
  return requirements;
}

/** Whether an object's fields meet all requirements. */
export function meetsFields(requirements: readonly FieldRequirement[], fields: SelectableFields): boolean {
  return requirements.every(({ field, equal, value }) => ((fields[field] ?? "") === value) === equal);
}

function splitUnescaped(text: string): string[] {
  return text.split(/(?<!\\),/);
}
