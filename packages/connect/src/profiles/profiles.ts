import { KindlingError } from "@kindling/core-spec";
import { GrpcError } from "../grpc/grpc-status.ts";
import type { MayUse } from "./may-use.ts";
import type { User } from "../users/user.ts";
import { parseProfiles } from "./parse-profiles.ts";
import type { Profile } from "./profile.ts";

export interface ProfilesOptions {
  readonly file: string;
  /** @throws KindlingError `FILE_UNREADABLE` */
  readonly readFile: (path: string) => string;
  /** Namespaces that profiles may name; empty: all. */
  readonly namespaces: readonly string[];
  /** The name of the profile of sessions that name none. */
  readonly usual: string | undefined;
  readonly mayUse: MayUse;
  readonly onFault: (fault: string) => void;
}

/** The profiles of the file, as it was read last. */
export class Profiles {
  readonly #options: ProfilesOptions;
  #profiles: readonly Profile[] = [];
  readonly #listeners = new Set<(name: string) => void>();

  /** @throws KindlingError `FILE_UNREADABLE`, or `FILE_UNPARSABLE` if no profile can be used */
  constructor(options: ProfilesOptions) {
    this.#options = options;
    this.read();
  }

  /** Reads the file again. Profiles with faults are left out, and those that are good change at once. */
  read(): void {
    const { file, readFile, namespaces, onFault } = this.#options;
    const { profiles, faults } = parseProfiles(readFile(file), file);
    const isServed = ({ namespace }: Profile): boolean =>
      namespaces.length === 0 || namespaces.some((one) => one === namespace);
    const foreign = profiles.filter((profile) => !isServed(profile));
    const all = [
      ...faults,
      ...foreign.map(
        ({ name, namespace }) => `${file}: profile ${name}: cluster.namespaces does not have ${namespace}`,
      ),
    ];
    const good = profiles.filter(isServed);
    if (good.length === 0)
      throw new KindlingError("FILE_UNPARSABLE", all[0] ?? `${file}: it has no profile`, {
        hint: "a profile is a name with at least a namespace and an image under profiles",
      });
    all.forEach(onFault);
    const names = new Set([...this.#profiles, ...good].map(({ name }) => name));
    this.#profiles = good;
    for (const name of names) for (const tell of this.#listeners) tell(name);
  }

  byName(name: string): Profile | undefined {
    return this.#profiles.find((profile) => profile.name === name);
  }

  all(): readonly Profile[] {
    return this.#profiles;
  }

  /** Tells the names of all profiles now, and again when the file was read, until the result is called. */
  watch(add: (name: string) => void): () => void {
    this.#listeners.add(add);
    for (const { name } of this.#profiles) add(name);
    return () => this.#listeners.delete(add);
  }

  /**
   * The profile of a session.
   *
   * @param name what the client has written as `x-profile`
   * @throws GrpcError `NOT_FOUND`, `PERMISSION_DENIED`, or `UNAVAILABLE` if the user's rights cannot be asked for
   */
  async ofUser(user: User, name: string | undefined): Promise<Profile> {
    const wanted = name ?? this.#options.usual;
    const candidates =
      wanted === undefined ? this.#profiles : this.#profiles.filter((profile) => profile.name === wanted);
    for (const profile of candidates) if (await this.#options.mayUse(user, profile)) return profile;
    // Whether a profile exists is told only to those who may use it.
    const usable = await this.#usable(user);
    const hint = usable.length === 0 ? "there is none that you may use" : `you may use ${usable.join(", ")}`;
    throw new GrpcError(
      "PERMISSION_DENIED",
      `${user.name} may not use ${wanted === undefined ? "any profile" : `profile ${wanted}`}: ${hint}`,
    );
  }

  async #usable(user: User): Promise<readonly string[]> {
    const names: string[] = [];
    for (const profile of this.#profiles) if (await this.#options.mayUse(user, profile)) names.push(profile.name);
    return names;
  }
}

/**
 * The queue of a session.
 *
 * @param name what the client has written as `x-queue`
 * @throws GrpcError `PERMISSION_DENIED`
 */
export function queueOf({ name: profile, queue, queues }: Profile, name: string | undefined): string | undefined {
  if (name === undefined || name === queue || queues.some((one) => one === name)) return name ?? queue;
  const known = [queue, ...queues].filter((one) => one !== undefined);
  const hint = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  throw new GrpcError("PERMISSION_DENIED", `profile ${profile} has no such queue: ${hint}`);
}
