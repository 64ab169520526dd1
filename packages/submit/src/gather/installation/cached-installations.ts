import type { Clock } from "@kindling/outside";
import { findInstallation, type FindInstallation } from "./find-installation.ts";
import type { Installation } from "./installation.ts";

export interface CachedInstallationsOptions {
  readonly clock: Clock;
  /** How long an answer holds, "there is none" included. Default: 60 s. */
  readonly milliseconds?: number;
  /** Of how many clusters and namespaces answers are kept. Default: 1,000. */
  readonly most?: number;
  /** Who is asked. */
  readonly find?: FindInstallation;
}

interface Answer {
  readonly at: number;
  readonly found: Promise<Installation | undefined>;
}

/**
 * Asks for the installation of a cluster and a namespace once in a while, for a service that submits often. Calls that
 * come while an answer is on its way wait for it. Failures are not kept.
 */
export function cachedInstallations(options: CachedInstallationsOptions): FindInstallation {
  const { clock, milliseconds = 60_000, most = 1000, find = findInstallation } = options;
  const answers = new Map<string, Answer>();

  const ask: FindInstallation = (client, { namespace, named }) => {
    const key = JSON.stringify([client.access.server, namespace, named]);
    const known = answers.get(key);
    if (known !== undefined && clock.monotonic() - known.at < milliseconds) return known.found;
    // One caller who gives up must not take the answer from the others.
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
