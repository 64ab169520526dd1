import { confType, type ConfType } from "@kindling/core-spec";

/** One setting: how it is parsed, and what help and reference say about it. */
export interface Setting<T> {
  readonly type: ConfType<NonNullable<T>>;
  /** The default as a user would write it; `undefined` for a setting that may be unset. */
  readonly default: string | undefined;
  /** One or two sentences. */
  readonly doc: string;
  /** Other programs' names for the same setting, which are understood in the file. */
  readonly alternatives?: readonly string[];
}

/** The settings of a program, by their names, such as `listen.port`. Help and reference list them in this order. */
export type Settings<Config> = { readonly [K in keyof Config & string]: Setting<Config[K]> };

/** A program with settings. */
export interface SettingsProgram<Config> {
  /** Its command: `kindling-gateway`. */
  readonly name: string;
  /** Its purpose, as a phrase: `hold the files of applications`. */
  readonly summary: string;
  /** The prefix of its environment variables: `KINDLING_GATEWAY`. */
  readonly prefix: string;
  readonly settings: Settings<Config>;
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** Which keys of a file are for other programs and are ignored; default: none. */
  readonly isForeign?: (key: string) => boolean;
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

/** A duration, converted to seconds. */
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
