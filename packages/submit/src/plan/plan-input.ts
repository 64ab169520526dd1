import { sparkConf, type Environment, type MainApplication, type Pod, type SparkConf } from "@kindling/core-spec";
import type { SealMaterial } from "@kindling/steps";
import type { Access } from "../access.ts";
import type { GatheredFiles } from "./files/gathered-files.ts";

/** A configuration with everything that its references may name. Plain data. */
export interface ConfigurationData {
  readonly sparkVersion: string;
  readonly entries: Readonly<Record<string, string>>;
  /** The values for `${env:NAME}`. */
  readonly env: Environment;
  /** The system properties of a JVM that have a meaning without one, for `${system:NAME}`. */
  readonly system: Readonly<Record<string, string>>;
  /** The default values of Spark's keys that the entries refer to, if nobody has set them. */
  readonly fallbacks?: Readonly<Record<string, string>> | undefined;
}

/** What identifiers are made of. */
export interface IdentifierSeed {
  /** Random bytes or, for a submission that must happen once only, a hash of its id. */
  readonly bytes: Uint8Array;
  /** The time to put into unique ids; if the time must not matter, the seed's own bytes are used. */
  readonly epochMillis: number | undefined;
}

/**
 * Everything that the objects of a submission depend on, except steps from outside. Plain data: a clone gives the same plan.
 */
export interface PlanInput extends ConfigurationData {
  readonly mainApplication: MainApplication;
  readonly appArgs: readonly string[];
  readonly proxyUser: string | undefined;
  /** The user that Spark runs as on the submitter's side. */
  readonly user: string;
  readonly seed: IdentifierSeed;
  readonly submissionId: string | undefined;
  readonly resourceNamePrefix: string | undefined;
  /** Pod templates that are not in files. */
  readonly templates: { readonly driver?: Pod; readonly executor?: Pod };
  readonly sparkContainer: "first" | "last";
  /** How much of the machine that submits may be read. */
  readonly access: Access;
  readonly files: GatheredFiles;
  /** CA certificates in PEM for the staging server. */
  readonly stagingCa: string | undefined;
  /** The secret and the key of a sealed application. */
  readonly seal?: SealMaterial | undefined;
  /** The file of Hadoop's delegation tokens that were fetched for the driver, in base64. */
  readonly delegationTokens?: string | undefined;
  /** The notices from gathering. */
  readonly notices: readonly string[];
}

/** Instead of delegation tokens, for a plan that is only shown: each token would be one that nobody uses. */
export const TOKENS_NOT_FETCHED: string = btoa("<delegation tokens>");

/** The configuration, for reading through declared keys. */
export function confOf({ sparkVersion, entries, env, system, fallbacks = {} }: ConfigurationData): SparkConf {
  const own = (values: Readonly<Record<string, string | undefined>>, name: string): string | undefined =>
    Object.hasOwn(values, name) ? values[name] : undefined;
  return sparkConf(entries, {
    sparkVersion,
    env: (name) => own(env, name),
    // The configuration is not included: only drivers in client mode have it among their system properties.
    system: (name) => own(system, name),
    fallback: (key) => own(fallbacks, key),
  });
}
