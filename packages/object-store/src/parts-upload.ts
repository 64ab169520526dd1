/** The data to continue an upload in parts. Plain JSON. */
export interface UploadState {
  readonly uploadId: string;
  readonly partSize: number;
  /** The store's own names or tags of the parts, in order. */
  readonly parts: readonly string[];
}

/** The bytes of a part. */
export interface UploadPart<Body> {
  body(): Body;
  /** Releases them: called once, whatever happens to the part. */
  close(): Promise<void>;
}

export interface MultipartUpload<Body> {
  /** Bytes of all parts so far, including those under way. */
  readonly bytes: number;
  /**
   * Uploads a part and closes it. Resolves when there is room for the next one.
   *
   * @param onDone called when the part and all before it are safe
   */
  add(part: UploadPart<Body>, onDone?: () => Promise<void>): Promise<void>;
  /** Resolves when all parts are safe; rejects if one could not be uploaded. */
  settle(): Promise<void>;
  /** The state with the parts that are safe without a gap; `undefined` if it has not begun. */
  state(): UploadState | undefined;
  /** Makes the object from its parts. */
  complete(): Promise<void>;
  abort(): Promise<void>;
}

/** What one store does for an upload in parts. */
export interface PartsTarget<Body> {
  /** @returns the id of a new upload */
  begin(): Promise<string>;
  /**
   * @param number the part's place, from 1 on
   * @returns the part's name or tag
   */
  put(uploadId: string, number: number, body: Body): Promise<string>;
  /** Makes the object. Another attempt after one whose answer was lost must succeed, too. */
  assemble(uploadId: string, parts: readonly string[], bytes: number): Promise<void>;
  drop(uploadId: string, parts: readonly string[]): Promise<void>;
}

export interface PartsUploadOptions {
  readonly partSize: number;
  readonly atOnce: number;
  readonly from?: UploadState | undefined;
}

/** The most parts of one object that all stores allow: it is S3's limit. */
export const MOST_PARTS = 10_000;

/** Uploads an object in parts, several at the same time. */
export function partsUpload<Body extends { readonly length: number }>(
  target: PartsTarget<Body>,
  { partSize, atOnce, from }: PartsUploadOptions,
): MultipartUpload<Body> {
  let uploadId = from?.uploadId;
  let beginning: Promise<string> | undefined;
  const tags: (string | undefined)[] = [...(from?.parts ?? [])];
  let bytes = tags.length * partSize;
  const running = new Set<Promise<void>>();
  let failure: unknown;

  async function begin(): Promise<string> {
    uploadId = await target.begin();
    return uploadId;
  }

  async function idFor(part: UploadPart<Body>): Promise<string> {
    try {
      if (failure !== undefined) throw failure;
      return uploadId ?? (await (beginning ??= begin()));
    } catch (error) {
      await part.close();
      throw error;
    }
  }

  async function put(id: string, number: number, part: UploadPart<Body>, body: Body): Promise<string> {
    try {
      return await target.put(id, number, body);
    } finally {
      await part.close();
    }
  }

  async function settle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
    if (failure !== undefined) throw failure;
  }

  return {
    get bytes() {
      return bytes;
    },
    async add(part, onDone) {
      const id = await idFor(part);
      const body = part.body();
      tags.push(undefined);
      const number = tags.length;
      bytes += body.length;
      const task = put(id, number, part, body)
        .then(async (tag) => {
          tags[number - 1] = tag;
          await onDone?.();
        })
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(task));
      running.add(task);
      while (running.size >= atOnce) await Promise.race(running);
      if (failure !== undefined) throw failure;
    },
    settle,
    state() {
      return uploadId === undefined ? undefined : { uploadId, partSize, parts: withoutGap(tags) };
    },
    async complete() {
      await settle();
      await target.assemble(uploadId ?? "", withoutGap(tags), bytes);
    },
    async abort() {
      await settle().catch(() => undefined);
      if (uploadId !== undefined) await target.drop(uploadId, withoutGap(tags));
    },
  };
}

function withoutGap(tags: readonly (string | undefined)[]): readonly string[] {
  const safe: string[] = [];
  for (const tag of tags) {
    if (tag === undefined) break;
    safe.push(tag);
  }
  return safe;
}
