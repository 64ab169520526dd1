import { confType, type ConfType } from "@kindling/core-spec";

/** One setting of the server: where it may stand, how it reads, and what the reference says of it. */
export interface ServerKey<T> {
  readonly type: ConfType<NonNullable<T>>;
  /** As it would be written; `undefined` for a setting that may be unset. */
  readonly default: string | undefined;
  /** For the reference: one or two sentences. */
  readonly doc: string;
  /** The old fork's keys that mean the same, understood in the file. */
  readonly alternatives?: readonly string[];
}

export const text: ConfType<string> = confType.checked(
  confType.text,
  (value) => value !== "",
  "a text that is not empty",
);
export const port: ConfType<number> = confType.checked(
  confType.int,
  (value) => value >= 0 && value <= 65535,
  "a port from 0 to 65535",
);
export const count: ConfType<number> = confType.checked(confType.int, (value) => value > 0, "a whole number above 0");
export const sizeBytes: ConfType<number> = confType.checked(
  { ...confType.bytes("b"), name: "size" },
  (value) => value >= 0,
  "a size such as 512m or 20g",
);
/** A duration in seconds, however it is written. */
export const seconds: ConfType<number> = confType.checked(
  {
    name: "duration",
    parse: (value) => {
      const milliseconds = confType.time("ms").parse(/^\d+$/.test(value.trim()) ? `${value.trim()}s` : value);
      return typeof milliseconds === "number" ? milliseconds / 1000 : milliseconds;
    },
  },
  (value) => value >= 0,
  "a duration such as 30s, 10min or 7d",
);
