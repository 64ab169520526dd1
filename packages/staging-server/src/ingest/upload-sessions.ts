import type { UploadRecord } from "../metadata/uploads.ts";
import { createUpload, type NewUpload } from "./create-upload.ts";
import { openUpload } from "./open-upload.ts";
import { forgetUpload, uploadContext, type UploadContext, type UploadSessionsOptions } from "./upload-context.ts";
import type { UploadTurn } from "./upload-turn.ts";
import { uploadWriters } from "./upload-writers.ts";

/** The resumable uploads of a server (draft-ietf-httpbis-resumable-upload, section 4). */
export interface UploadSessions {
  /**
   * A new upload, or the interrupted one of the same file for the same namespace, if no client is sending it.
   *
   * @throws ProblemError `limit-reached`, `quota-exceeded`
   */
  create(upload: NewUpload): Promise<UploadRecord>;
  find(id: string): Promise<UploadRecord | undefined>;
  /**
   * The right to write to an upload. An earlier request that has it must give way: "the server SHOULD prevent race
   * conditions by terminating the previous request before processing the new request" (section 4.6).
   *
   * @returns `complete` if there is nothing more to write; `undefined` if there is no such upload, or nothing is left of
   * it
   */
  begin(id: string): Promise<UploadTurn | "complete" | undefined>;
  /** Ends the request that writes, and forgets the upload. */
  cancel(id: string): Promise<void>;
  /** Forgets uploads without a request for this time; returns how many. */
  expire(idleSeconds: number): Promise<number>;
  /** The ids of all uploads that can be resumed. */
  ids(): Promise<ReadonlySet<string>>;
  /** Reads the uploads of an earlier process, if no other server has the documents. */
  load(): Promise<void>;
  /** Counts the uploads of other servers. */
  countOthers(): Promise<void>;
}

// A client that did not get the answer can still ask about a finished upload.
const COMPLETED_SECONDS = 900;

export function uploadSessions(options: UploadSessionsOptions): UploadSessions {
  const context = uploadContext(options);
  const { records, clock, replica, kept } = context;
  const writers = uploadWriters(clock);
  let turns = 0;

  const begin = (id: string): Promise<UploadTurn | "complete" | undefined> =>
    writers.begin(id, async (signal, leave) => {
      const turn = await openUpload(context, id, { name: `${replica}/${++turns}`, signal, leave });
      if (turn === undefined || turn === "complete") leave();
      return turn;
    });

  async function cancel(id: string): Promise<void> {
    const turn = await begin(id);
    if (turn === "complete") await forgetUpload(context, id);
    else await turn?.drop();
  }

  return {
    create: (upload) => createUpload(context, upload, writers.has),
    find: async (id) => (await records.get(id))?.value,
    begin,
    cancel,
    async expire(idleSeconds) {
      let expired = 0;
      for (const { name } of await records.list()) {
        const record = (await records.get(name))?.value;
        if (writers.has(name)) continue;
        if (record === undefined) {
          // Its document is damaged or has just been deleted: no client can go on with it.
          kept.forget(name);
          continue;
        }
        if (!isIdle(context, record, idleSeconds)) continue;
        await cancel(name);
        if (!record.complete) expired++;
      }
      return expired;
    },
    ids: async () => new Set((await records.list()).map(({ name }) => name)),
    load: () => kept.load(),
    countOthers: () => kept.countOthers(),
  };
}

function isIdle({ serviceClock }: UploadContext, record: UploadRecord, idleSeconds: number): boolean {
  const idle = serviceClock.seconds() - record.touchedAt - serviceClock.slackSeconds;
  return idle > (record.complete ? COMPLETED_SECONDS : idleSeconds);
}
