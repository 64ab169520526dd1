import type { Clock } from "@kindling/outside";
import { findInstallation, type FindInstallation } from "./find-installation.ts";
import type { Installation } from "./installation.ts";

export interface CachedInstallationsOptions {
  readonly clock: Clock;
  /** How long an answer is kept, also the answer that there is none. Default: 60 s. */
  readonly milliseconds?: number;
  /** The number of clusters and namespaces to keep answers for. Default: 1,000. */
  readonly most?: number;
  /** The function to ask. */
  readonly find?: FindInstallation;
}

interface Answer {
  readonly at: number;
  readonly found: Promise<Installation | undefined>;
}

/**
 * Asks for the installation of a cluster and a namespace only once in a while, for a service that submits often. Calls wait
 * for an answer that is already on its way. Failures are not kept.
 */
export function cachedInstallations(options: CachedInstallationsOptions): FindInstallation {
  const { clock, milliseconds = 60_000, most = 1000, find = findInstallation } = options;
  const answers = new Map<string, Answer>();

  const ask: FindInstallation = (client, { namespace, named }) => {
    const key = JSON.stringify([client.access.server, namespace, named]);
    const known = answers.get(key);
    if (known !== undefined && clock.monotonic() - known.at < milliseconds) return known.found;
    // The signal of one caller is not passed on: if that caller gives up, the others still need the answer.
    const found = find(client, { namespace, named });
    const answer = { at: clock.monotonic(), found };
    answers.delete(key);
    answers.set(key, answer);
    found.catch(() => {
      if (answers.get(key) === answer) answers.delete(key);
    });
    const [oldest] = answers.keys();
    if (answers.size > most && oldest !== undefined) answers.delete(oldest);
    return found;
  };
  return ask;
}
