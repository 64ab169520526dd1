import { formatDigestField, type CommittedBundle } from "@kindling/staging-client";
import type { Answer, Call } from "./http-call.ts";
import { manifestOf, sample, type Sample } from "./stage.ts";
import { jsonCall, TEST_OWNER } from "./test-server.ts";

const STORAGE_FAILS: ReadonlySet<number> = new Set([503, 507]);

export interface PatientOptions {
  /** Sends a request to a path of the protocol; it is always answered. */
  readonly call: (path: string, call?: Call) => Promise<Answer>;
  /** Whether a failure of the storage may lose an upload; then the client begins it again. */
  readonly mayLoseUploads?: boolean;
  /** The size of the files that are sent as resumable uploads. */
  readonly size?: number;
}

/** A client that retries after failures of the storage. */
export class PatientClient {
  readonly #options: PatientOptions;
  readonly failures: string[] = [];

  constructor(options: PatientOptions) {
    this.#options = options;
  }

  /** Sends one request, and records a failure of the storage. */
  async #once(path: string, call: Call, wanted: readonly number[]): Promise<Answer | undefined> {
    const answer = await this.#options.call(path, call);
    if (wanted.includes(answer.status)) return answer;
    const what = `${call.method ?? "GET"} ${path.split("?")[0]}: ${answer.status} ${answer.body.toString()}`;
    if (!STORAGE_FAILS.has(answer.status)) throw new Error(what);
    this.failures.push(what);
    return undefined;
  }

  async ask(path: string, call: Call, ...wanted: number[]): Promise<Answer> {
    return (await this.#once(path, call, wanted)) ?? (await this.ask(path, call, ...wanted));
  }

  /** If a download has begun, a failure can only cut it off. */
  async #download(path: string, headers: Record<string, string>): Promise<Buffer> {
    try {
      return (await this.ask(path, { headers }, 200)).body;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
      this.failures.push(`GET ${path}: cut`);
      return (await this.ask(path, { headers }, 200)).body;
    }
  }

  async #lease(): Promise<string> {
    const answer = await this.ask("api/v1/leases", jsonCall({ namespace: "default" }), 201);
    return (answer.json as { leaseId: string }).leaseId;
  }

  async #create(lease: string, { digest, bytes }: Sample): Promise<string> {
    const headers = {
      "upload-complete": "?0",
      "upload-length": bytes.length,
      "repr-digest": formatDigestField(digest),
      "content-length": 0,
    };
    const answer = await this.ask(`api/v1/uploads?lease=${lease}`, { method: "POST", headers }, 201, 200);
    return answer.headers.location ?? "";
  }

  /**
   * Sends the bytes up to an offset at once; after a failure, from the upload's current offset.
   *
   * @returns `lost` if nothing is left of the upload
   */
  async #send(path: string, bytes: Buffer, from: number, to: number): Promise<"sent" | "lost"> {
    const headers = {
      "content-type": "application/partial-upload",
      "upload-offset": from,
      "upload-complete": to === bytes.length ? "?1" : "?0",
    };
    const gone = this.#options.mayLoseUploads === true ? [410] : [];
    const patched = await this.#once(path, { method: "PATCH", headers, body: bytes.subarray(from, to) }, [
      ...gone,
      201,
      204,
    ]);
    if (patched !== undefined) return patched.status === 410 ? "lost" : "sent";
    const head = await this.ask(path, { method: "HEAD" }, 204, ...gone);
    if (head.status === 410) return "lost";
    if (head.headers["upload-complete"] === "?1") return "sent";
    return await this.#send(path, bytes, Number(head.headers["upload-offset"]), to);
  }

  async resumableFlow(): Promise<void> {
    const one = sample(this.#options.size ?? 300_000);
    const third = Math.floor(one.bytes.length / 3);
    const lease = await this.#lease();
    for (;;) {
      const path = await this.#create(lease, one);
      if (path === "") break;
      if ((await this.#send(path, one.bytes, 0, third)) === "lost") continue;
      const head = await this.ask(path, { method: "HEAD" }, 204, 410);
      if (head.status === 410) continue;
      const offset = Number(head.headers["upload-offset"]);
      if ((await this.#send(path, one.bytes, offset, one.bytes.length)) === "sent") break;
    }
    await this.#commitAndUse(lease, one);
  }

  async oneShotFlow(): Promise<void> {
    const one = sample(30_000);
    const lease = await this.#lease();
    await this.#put(lease, one);
    await this.#commitAndUse(lease, one);
  }

  async #put(lease: string, { digest, bytes }: Sample): Promise<void> {
    await this.ask(`api/v1/blobs/${digest}?lease=${lease}`, { method: "PUT", body: bytes }, 201, 200);
  }

  async cancelFlow(): Promise<void> {
    const one = sample(this.#options.size ?? 300_000);
    const path = await this.#create(await this.#lease(), one);
    await this.#send(path, one.bytes, 0, Math.floor(one.bytes.length / 3));
    await this.ask(path, { method: "DELETE" }, 204, 410);
    await this.ask(path, { method: "HEAD" }, 410);
  }

  async collectFlow(): Promise<void> {
    await this.oneShotFlow();
    for (let round = 0; round < 2; round++) await this.ask("api/v1/gc", jsonCall({}), 200);
  }

  async #commitAndUse(lease: string, one: Sample): Promise<void> {
    const call = jsonCall({ lease, owner: TEST_OWNER, files: manifestOf({ a: one }) });
    // A commit that was answered with a failure may still have succeeded: then its lease is closed.
    const committed = await this.ask("api/v1/bundles", call, 201, 409, 422);
    if (committed.status === 422) {
      // The server asks again for a file that could not be flushed.
      await this.#put(lease, one);
      await this.#commitAndUse(lease, one);
      return;
    }
    if (committed.status !== 201) {
      if (this.failures.some((failure) => failure.startsWith("POST api/v1/bundles"))) return;
      throw new Error(`no bundle: ${committed.status} ${committed.body.toString()}`);
    }
    const { bundleId, secret } = committed.json as CommittedBundle;
    const headers = { authorization: `Bearer ${secret}` };
    const file = await this.#download(`api/v1/bundles/${bundleId}/files/a`, headers);
    if (!file.equals(one.bytes)) throw new Error(`other bytes came back of bundle ${bundleId}`);
    const bind = { ...jsonCall({ uid: "pod-1" }, headers), method: "PATCH" };
    await this.ask(`api/v1/bundles/${bundleId}/owner`, bind, 204);
    // A deletion that was answered with a failure may still have succeeded.
    await this.ask(`api/v1/bundles/${bundleId}`, { method: "DELETE", headers }, 204, 404);
  }
}
