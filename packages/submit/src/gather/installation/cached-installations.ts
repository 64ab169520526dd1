import { cachedAnswers, type CacheOptions } from "./cached-answers.ts";
import { findInstallation, type FindInstallation } from "./find-installation.ts";
import type { Installation } from "./installation.ts";

export interface CachedInstallationsOptions extends CacheOptions {
  /** The function to ask. */
  readonly find?: FindInstallation;
}

/** Asks for the installation of a cluster and a namespace only once in a while, for a service that submits often. */
export function cachedInstallations({
  find = findInstallation,
  ...cache
}: CachedInstallationsOptions): FindInstallation {
  const remember = cachedAnswers<Installation | undefined>(cache);
  return (client, { namespace, named }) =>
    remember(client, [namespace, named], () => find(client, { namespace, named }));
}
