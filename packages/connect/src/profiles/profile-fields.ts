import { confType, isDnsLabel, parseQuantity } from "@kindling/core-spec";

/** Reads one value of a profile. */
export interface FieldType<T> {
  /** A phrase for messages: "expected a duration such as 30m". */
  readonly expected: string;
  /** @returns undefined for a value of another kind */
  readonly read: (value: unknown) => T | undefined;
}

/** Characters that cannot be in labels of Kubernetes or in metadata of gRPC are left out of names. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
const QUEUE = /^[A-Za-z0-9](?:[A-Za-z0-9_./-]{0,61}[A-Za-z0-9])?$/;

export function isProfileName(name: string): boolean {
  return NAME.test(name);
}

function fieldType<T>(expected: string, read: (value: unknown) => T | undefined): FieldType<T> {
  return { expected, read };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

export const text: FieldType<string> = fieldType("a text", (value) => (isText(value) ? value : undefined));

export const texts: FieldType<readonly string[]> = fieldType("a list of texts", (value) =>
  Array.isArray(value) && value.every(isText) ? value : undefined,
);

export const namespace: FieldType<string> = fieldType("the name of a namespace", (value) =>
  isText(value) && isDnsLabel(value) ? value : undefined,
);

export const queue: FieldType<string> = fieldType("the name of a queue", (value) =>
  isText(value) && QUEUE.test(value) ? value : undefined,
);

export const queues: FieldType<readonly string[]> = fieldType("a list of queues", (value) =>
  Array.isArray(value) && value.every((one) => queue.read(one) !== undefined) ? (value as string[]) : undefined,
);

/** Converted to seconds. */
export const duration: FieldType<number> = fieldType("a duration such as 30m", (value) => {
  if (!isText(value) && typeof value !== "number") return undefined;
  const written = String(value);
  const milliseconds = confType.time("ms").parse(/^\d+$/.test(written) ? `${written}s` : written);
  return typeof milliseconds === "number" && milliseconds > 0 ? milliseconds / 1000 : undefined;
});

export function whole(least: number, most: number): FieldType<number> {
  return fieldType(`a whole number from ${least} to ${most}`, (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most ? value : undefined,
  );
}

export function oneOf<T extends string>(...values: readonly T[]): FieldType<T> {
  return fieldType(`one of ${values.join(", ")}`, (value) => values.find((one) => one === value));
}

/** Values of Spark's configuration and of the environment: numbers and booleans are written as YAML has them. */
export const settings: FieldType<Readonly<Record<string, string>>> = fieldType("a map of names and texts", (value) => {
  if (!isMap(value)) return undefined;
  const entries = Object.entries(value);
  const isScalar = (one: unknown): boolean => ["string", "number", "boolean"].some((type) => typeof one === type);
  return entries.every(([, one]) => isScalar(one))
    ? Object.fromEntries(entries.map(([name, one]) => [name, String(one)]))
    : undefined;
});

export const quantity: FieldType<string> = fieldType("an amount such as 500m or 2Gi", (value) =>
  (isText(value) || typeof value === "number") && parseQuantity(String(value)) !== undefined
    ? String(value)
    : undefined,
);

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
