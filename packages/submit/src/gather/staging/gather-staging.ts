import { splitList, type MainApplication, type SparkConf } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";
import { isSubmitterLocal } from "@kindling/steps";
import { STAGING_URI } from "../../keys/staging-keys.ts";
import { URI_LIST_KEYS } from "../access.ts";
import type { Gathering } from "../gathering.ts";
import type { Installation } from "../installation/installation.ts";
import { isStagingServer } from "../installation/with-installation.ts";
import type { StagingAccess } from "./staging-access.ts";

/** The staging server, if files of this machine have to be staged. */
export interface Staging {
  readonly staging: StagingAccess | undefined;
  /** Reads the CA certificates in PEM for the staging server. */
  readonly readCa: () => string | undefined;
}

export async function gatherStaging(
  conf: SparkConf,
  mainApplication: MainApplication,
  { env, installation }: { readonly env: Env; readonly installation: Installation | undefined },
  { outside, access, notices, connection }: Gathering,
): Promise<Staging> {
  const { clock } = outside;
  const stages =
    access === "this-machine" && conf.get(STAGING_URI) !== undefined && hasLocalFiles(conf, mainApplication);
  // Loaded only here: most submissions have nothing to stage.
  const reading = stages ? await import("./staging-access.ts") : undefined;
  const ofInstallation = installation !== undefined && isStagingServer(installation) ? installation : undefined;
  const staging = connection.kind === "none" ? undefined : reading?.stagingAccess(conf, env, clock, ofInstallation);
  if (staging !== undefined && ofInstallation !== undefined) {
    const kept = reading?.tokenKept(conf, env);
    if (kept !== undefined) notices.add(kept);
  }
  return { staging, readCa: () => reading?.stagingCa(conf, clock, ofInstallation) };
}

function hasLocalFiles(conf: SparkConf, application: MainApplication): boolean {
  const { resource } = application;
  const own = application.language !== "java" && resource !== undefined && isSubmitterLocal(resource);
  return own || URI_LIST_KEYS.some((key) => splitList(conf.raw(key) ?? "").some(isSubmitterLocal));
}
