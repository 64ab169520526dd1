import { parseDigest, type Digest } from "@kindling/staging-client/protocol";

/** The type of a value, and how it is read from JSON. */
export interface Reader<T> {
  /** For the reference: such as "integer from 1 to 64". */
  readonly type: string;
  /** @throws ConfigFault */
  read(value: unknown, at: string): T;
}

/** The error for a value of a wrong type. */
export class ConfigFault extends Error {
  /** Where, such as `files[3].to`. */
  readonly at: string;

  constructor(at: string, problem: string) {
    super(problem);
    this.at = at;
  }
}

/** One member of an object. */
export interface Field<T> {
  readonly value: Reader<T>;
  readonly doc: string;
  /** The default of a member that may be left out. */
  readonly otherwise?: { readonly value: T; readonly text: string };
}

/** The members of an object; unknown members are refused. */
export type Schema<T> = { readonly [K in keyof T]-?: Field<T[K]> };

export function required<T>(value: Reader<T>, doc: string): Field<T> {
  return { value, doc };
}

export function defaulting<T>(
  value: Reader<T>,
  preset: T,
  doc: string,
  text: string = JSON.stringify(preset),
): Field<T> {
  return { value, doc, otherwise: { value: preset, text } };
}

export function optional<T>(value: Reader<T>, doc: string, text = ""): Field<T | undefined> {
  return { value, doc, otherwise: { value: undefined, text } };
}

export function object<T extends object>(schema: Schema<T>): Reader<T> {
  const fields = Object.entries<Field<unknown>>(schema);
  return {
    type: "an object",
    read(value, at) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new ConfigFault(at, "must be an object");
      }
      const given = new Map(Object.entries(value));
      const result = Object.fromEntries(
        fields.map(([name, field]) => {
          const path = at === "" ? name : `${at}.${name}`;
          const one: unknown = given.get(name);
          given.delete(name);
          if (one !== undefined) return [name, field.value.read(one, path)];
          if (field.otherwise === undefined) throw new ConfigFault(path, "is missing");
          return [name, field.otherwise.value];
        }),
      );
      for (const name of given.keys()) {
        const known = fields.map(([each]) => each).join(", ");
        throw new ConfigFault(at === "" ? name : `${at}.${name}`, `is not known; there are ${known}`);
      }
      return result as T;
    },
  };
}

export function list<T>(item: Reader<T>): Reader<readonly T[]> {
  return {
    type: `list, each ${item.type}`,
    read(value, at) {
      if (!Array.isArray(value)) throw new ConfigFault(at, "must be a list");
      return value.map((each, index) => item.read(each, `${at}[${index}]`));
    },
  };
}

export function byName<T>(name: Reader<string>, item: Reader<T>): Reader<ReadonlyMap<string, T>> {
  return {
    type: `object, each ${item.type}`,
    read(value, at) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new ConfigFault(at, "must be an object");
      }
      return new Map(
        Object.entries(value).map(([key, each]) => {
          const path = `${at}[${JSON.stringify(key)}]`;
          return [name.read(key, path), item.read(each, path)];
        }),
      );
    },
  };
}

/** A value whose text alone decides whether it is right. */
export function textual<T = string>(type: string, parse: (text: string) => T | undefined): Reader<T> {
  return {
    type,
    read(value, at) {
      const result = typeof value === "string" ? parse(value) : undefined;
      if (result === undefined) throw new ConfigFault(at, `must be ${type}`);
      return result;
    },
  };
}

export function integer(min: number, max: number): Reader<number> {
  const type = max === Number.MAX_SAFE_INTEGER ? `integer from ${min}` : `integer from ${min} to ${max}`;
  return {
    type,
    read(value, at) {
      if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return value;
      throw new ConfigFault(at, `must be an ${type}`);
    },
  };
}

export const flag: Reader<boolean> = {
  type: "true or false",
  read(value, at) {
    if (typeof value === "boolean") return value;
    throw new ConfigFault(at, "must be true or false");
  },
};

export const text: Reader<string> = textual("a text", (given) => (given === "" ? undefined : given));

export const digest: Reader<Digest> = textual("sha256: and 64 lower-case hexadecimal digits", parseDigest);

/** A path that does not depend on the working directory. */
export const absolutePath: Reader<string> = textual("an absolute path without . and ..", (given) => {
  if (!given.startsWith("/") || given.includes("\0") || /\p{Surrogate}/u.test(given)) return undefined;
  const segments = given.split("/").filter((segment) => segment !== "");
  return segments.includes(".") || segments.includes("..") ? undefined : `/${segments.join("/")}`;
});

/** An http or https URI without credentials: the configuration is not secret. */
export const httpUri: Reader<string> = textual("an http or https URI without user and password", (given) => {
  if (!URL.canParse(given)) return undefined;
  const { protocol, username, password } = new URL(given);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "" ? given : undefined;
});
