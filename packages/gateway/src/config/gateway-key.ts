import { confType, type ConfType } from "@kindling/core-spec";

/** One setting of the gateway: how it reads, and what the help says of it. */
export interface GatewayKey<T> {
  readonly type: ConfType<NonNullable<T>>;
  /** As it would be written; `undefined` for a setting that may be unset. */
  readonly default: string | undefined;
  /** One or two sentences. */
  readonly doc: string;
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
  "a duration such as 30s or 10min",
);
