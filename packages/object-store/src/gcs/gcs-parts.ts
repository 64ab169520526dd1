import type { ObjectBody, ObjectBucket } from "../object-bucket.ts";
import { ObjectStoreError } from "../object-store-error.ts";
import type { PartsTarget } from "../parts-upload.ts";

export interface GcsPartsOptions extends Pick<ObjectBucket, "put"> {
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
  readonly remove: (key: string) => Promise<void>;
  /** @returns the size of the composed object */
  readonly compose: (target: string, sources: readonly string[]) => Promise<number>;
  readonly newId: () => string;
}

// "Composite objects": a request takes up to 32 objects, and what it makes can be composed again.
const MOST_SOURCES = 32;
const DELETED_AT_ONCE = 16;

/**
 * Parts as objects below `<key>/`, which Google Cloud Storage composes at the end. No other upload writes to them, because
 * their names are new each time. A resumable upload could do less: it takes parts only one after the other, and the address
 * that continues it is a credential, which would have to be stored.
 */
export function gcsParts(options: GcsPartsOptions): PartsTarget<ObjectBody> {
  const { key, signal, put, remove, compose, newId } = options;
  const partKey = (name: string): string => `${key}/${name}`;

  async function removeAll(keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += DELETED_AT_ONCE) {
      await Promise.all(keys.slice(start, start + DELETED_AT_ONCE).map(remove));
    }
  }

  return {
    begin: () => Promise.resolve(newId()),
    async put(_uploadId, _number, body) {
      const name = newId();
      await put(partKey(name), { body, signal });
      return name;
    },
    async assemble(_uploadId, parts, bytes) {
      const used: string[] = [];
      let sources = parts.map(partKey);
      while (sources.length > MOST_SOURCES) {
        used.push(...sources);
        const groups: string[] = [];
        for (let start = 0; start < sources.length; start += MOST_SOURCES) {
          const group = partKey(newId());
          await compose(group, sources.slice(start, start + MOST_SOURCES));
          groups.push(group);
        }
        sources = groups;
      }
      used.push(...sources);
      const size = await compose(key, sources);
      if (size !== bytes) {
        throw new ObjectStoreError("server", `the store composed ${size} bytes of ${bytes} that were uploaded`);
      }
      // The object has all of their bytes. If one cannot be removed now, it stays without harm.
      await removeAll(used).catch(() => undefined);
    },
    drop: (_uploadId, parts) => removeAll(parts.map(partKey)),
  };
}
