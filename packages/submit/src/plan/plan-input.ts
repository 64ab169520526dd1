import { sparkConf, type Environment, type MainApplication, type Pod, type SparkConf } from "@kindling/core-spec";
import type { Access } from "../access.ts";
import type { GatheredFiles } from "./files/gathered-files.ts";

/** A configuration with all that its references may name. Plain data. */
export interface ConfigurationData {
  readonly sparkVersion: string;
  readonly entries: Readonly<Record<string, string>>;
  /** For `${env:NAME}`. */
  readonly env: Environment;
  /** The system properties of a JVM that have a meaning without one, for `${system:NAME}`. */
  readonly system: Readonly<Record<string, string>>;
  /** What keys of Spark's are that the entries refer to, if nobody has set them. */
  readonly fallbacks?: Readonly<Record<string, string>> | undefined;
}

/** What identifiers are made of. */
export interface IdentifierSeed {
  /** Random bytes or, for a submission that must happen once only, a hash of its id. */
  readonly bytes: Uint8Array;
  /** The time to put into unique ids; where it must not matter, the seed's own bytes stand in for it. */
  readonly epochMillis: number | undefined;
}

/** All that the objects of a submission depend on, but for steps from outside. Plain data: a clone gives the same plan. */
export interface PlanInput extends ConfigurationData {
  readonly mainApplication: MainApplication;
  readonly appArgs: readonly string[];
  readonly proxyUser: string | undefined;
  /** The user that Spark runs as, in the submitter's eyes. */
  readonly user: string;
  readonly seed: IdentifierSeed;
  readonly submissionId: string | undefined;
  readonly resourceNamePrefix: string | undefined;
  /** Pod templates that are no files. */
  readonly templates: { readonly driver?: Pod; readonly executor?: Pod };
  readonly sparkContainer: "first" | "last";
  /** What may be read of the machine that submits. */
  readonly access: Access;
  readonly files: GatheredFiles;
  /** Certificates in PEM that the staging server's must be signed by. */
  readonly stagingCa: string | undefined;
  /** What there was to say while this was gathered. */
  readonly notices: readonly string[];
}

/** The configuration, to be read through declared keys. */
export function confOf({ sparkVersion, entries, env, system, fallbacks = {} }: ConfigurationData): SparkConf {
  const own = (values: Readonly<Record<string, string | undefined>>, name: string): string | undefined =>
    Object.hasOwn(values, name) ? values[name] : undefined;
  return sparkConf(entries, {
    sparkVersion,
    env: (name) => own(env, name),
    // The configuration is none: only drivers in client mode have it among their system properties.
    system: (name) => own(system, name),
    fallback: (key) => own(fallbacks, key),
  });
}
