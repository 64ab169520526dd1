import type { KubeObject } from "@kindling/kube-objects";

/** One manager's share of an object, with its field set kept as the JSON text that clients see. */
export interface ManagedFields {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  /** Empty if the entry's manager has never changed anything. */
  readonly time: string;
  /** The text of `fieldsV1`. */
  readonly fields: string;
  readonly subresource?: string;
}

/** One version of an object: parsed, and serialised once for all readers. Never changed. */
export class StoredObject {
  readonly object: KubeObject;
  readonly managed: readonly ManagedFields[];
  readonly revision: number;
  /** The object as JSON. */
  readonly bytes: Buffer;

  constructor(object: KubeObject, managed: readonly ManagedFields[], revision: number) {
    this.object = object;
    this.managed = managed;
    this.revision = revision;
    this.bytes = exactBuffer(serialise(object, managed));
  }

  /** The same content as the last state of a deleted object, which carries the revision of its deletion. */
  withRevision(revision: number): StoredObject {
    const metadata = { ...this.object.metadata, resourceVersion: String(revision) };
    return new StoredObject({ ...this.object, metadata }, this.managed, revision);
  }
}

// Objects live long: a slice of Node's shared pool would keep its neighbours' memory.
function exactBuffer(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** An object as JSON text, with its managed fields in place. */
export function serialise(object: KubeObject, managed: readonly ManagedFields[]): string {
  if (managed.length === 0) return JSON.stringify(object);
  const parts: string[] = [];
  for (const key in object) {
    const value = object[key];
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    const withManaged = key === "metadata" ? `${text.slice(0, -1)},"managedFields":${managedText(managed)}}` : text;
    parts.push(`${JSON.stringify(key)}:${withManaged}`);
  }
  return `{${parts.join(",")}}`;
}

function managedText(managed: readonly ManagedFields[]): string {
  const entries = managed.map(({ manager, operation, apiVersion, time, fields, subresource }) => {
    const end = subresource === undefined ? "}" : `,"subresource":${JSON.stringify(subresource)}}`;
    const start = `{"manager":${JSON.stringify(manager)},"operation":"${operation}","apiVersion":"${apiVersion}"`;
    const since = time === "" ? "" : `,"time":"${time}"`;
    return `${start}${since},"fieldsType":"FieldsV1","fieldsV1":${fields}${end}`;
  });
  return `[${entries.join(",")}]`;
}
