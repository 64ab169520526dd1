import type { SparkDifference } from "@kindling/core-spec";

/**
 * What a flag does. `conf` sets a configuration key; `uris` sets one with a list of files; `field` keeps a value for the
 * submission itself; `switch` turns something on; `ignored` is accepted but has no meaning on Kubernetes.
 */
export type FlagEffect =
  | {
      readonly kind: "conf";
      readonly key: string;
      /**
       * Which value counts if a flag and `--conf` of its key are both given. The flag wins, in any order, unless
       * spark-submit's launcher rewrites it: then it is a `--conf` of its key, and the last one counts.
       */
      readonly winner: "flag" | "last";
    }
  | { readonly kind: "uris"; readonly key: string }
  | { readonly kind: "field" }
  /** @property modes the allowed texts after an `=` */
  | { readonly kind: "switch"; readonly modes?: readonly string[] }
  | { readonly kind: "ignored"; readonly takesValue: boolean };

/** A part of the help. */
export type FlagSection = "application" | "files" | "resources" | "configuration" | "control" | "kindling" | "other";

export interface Flag {
  /** The long name, with its dashes. */
  readonly name: string;
  readonly short?: string;
  readonly effect: FlagEffect;
  /** The difference from which on spark-submit has the flag; without it, all known versions have the flag. */
  readonly from?: SparkDifference;
  /** The name of the value in the help. */
  readonly value?: string;
  readonly help: string;
  readonly section: FlagSection;
}

export const conf = (key: string): FlagEffect => ({ kind: "conf", key, winner: "flag" });
/** A flag that spark-submit's launcher turns into a `--conf` (SparkSubmitCommandBuilder.OptionParser.handle). */
export const launcherConf = (key: string): FlagEffect => ({ kind: "conf", key, winner: "last" });
export const uris = (key: string): FlagEffect => ({ kind: "uris", key });
export const FIELD: FlagEffect = { kind: "field" };
export const SWITCH: FlagEffect = { kind: "switch" };

/** The flags of one part of the help. */
export function inSection(section: FlagSection, flags: readonly Omit<Flag, "section">[]): Flag[] {
  return flags.map((flag) => ({ ...flag, section }));
}

/** Whether a flag is followed by a value. */
export function takesValue({ effect }: Flag): boolean {
  switch (effect.kind) {
    case "conf":
    case "uris":
    case "field":
      return true;
    case "switch":
      return false;
    case "ignored":
      return effect.takesValue;
  }
}
